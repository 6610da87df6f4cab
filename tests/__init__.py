"""Tests mirror the rooms. A package, so that no other ``tests`` on the path can hide it."""
