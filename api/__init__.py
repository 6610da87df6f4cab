"""The doors: command line and HTTP service. Holds no mahjong and no pixels; only this room knows HTTP
statuses.
"""
