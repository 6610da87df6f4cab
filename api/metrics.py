"""What the service counts, in the form that Prometheus reads. Each application has a registry of its own."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

__all__ = ["CONTENT_TYPE", "Metrics", "Now"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_BYTES = (10_000.0, 100_000.0, 500_000.0, 1e6, 2e6, 4e6, 8e6, 16e6, 64e6)


@dataclass(frozen=True, slots=True)
class Now:
    """How things stand at this moment.

    `workers`: process number -> bytes of memory; `losses`: why workers were lost -> how many.
    """

    ready: bool
    taken: int
    workers: Mapping[int, int]
    losses: Mapping[str, int]


class _Standing(Collector):
    """Asks how things stand whenever somebody reads the metrics."""

    def __init__(self, now: Callable[[], Now]) -> None:
        self._now = now

    def collect(self) -> Iterator[Metric]:
        """Ready or not, photos in the house, workers alive and lost, and their memory."""
        now = self._now()
        simple = (
            ("mahjong_ready", "1 where photos may be sent.", float(now.ready)),
            ("mahjong_photos_in_progress", "Photos that are read or wait for a worker.", float(now.taken)),
            ("mahjong_workers", "Workers that are alive.", float(len(now.workers))),
            (
                "mahjong_workers_resident_bytes",
                "Memory that the workers hold.",
                float(sum(now.workers.values())),
            ),
            (
                "mahjong_peak_resident_bytes",
                "Most memory that the service's own process has held.",
                resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0,
            ),
        )
        for name, help_, value in simple:
            yield GaugeMetricFamily(name, help_, value=value)
        lost = CounterMetricFamily(
            "mahjong_workers_lost", "Workers that died or were killed, by why.", labels=("reason",)
        )
        for reason in ("died", "deadline", "blind"):
            lost.add_metric((reason,), now.losses.get(reason, 0))
        yield lost


class Metrics:
    """Counters and histograms of one application."""

    def __init__(self, now: Callable[[], Now]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Standing(now))
        ProcessCollector(registry=self._registry)
        self.requests = Counter(
            "mahjong_http_requests",
            "Requests answered, by route, status and error code.",
            ("route", "status", "code"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "mahjong_http_request_seconds",
            "From a request's first byte to its answer's last.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.body_bytes = Histogram(
            "mahjong_http_body_bytes",
            "Size of the bodies that were read.",
            ("route",),
            buckets=_BYTES,
            registry=self._registry,
        )
        self.reading_seconds = Histogram(
            "mahjong_reading_seconds",
            "What a worker needed for a photo.",
            buckets=_SECONDS,
            registry=self._registry,
        )

    def text(self) -> bytes:
        """Everything, in Prometheus' text form."""
        found: bytes = generate_latest(self._registry)
        return found
