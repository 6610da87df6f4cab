"""The application on a local Ray. Skipped where the extra `ray` is not installed; minutes where it is."""

from __future__ import annotations

import asyncio
import json

import pytest

from api.jobs import Job, canary
from tests.api.live import free_port

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def test_archive_on_a_local_cluster() -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from api.cluster import ray_pool

    async def work() -> list[str]:
        pool = ray_pool("local", 1, None)
        await pool.start()
        try:
            outcome = await pool.run(Job("read", canary().image))
            broken = await pool.run(Job("read", b"no photo"))
        finally:
            await pool.close()
        assert broken.error is not None
        assert broken.error[0] == "image_type"
        return [tile["tile"] for tile in json.loads(outcome.require_answer())["tiles"]]

    assert tuple(asyncio.run(work())) == canary().tiles


def test_service_on_ray_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    # Before Ray is imported. On a machine that does other things as well its processes, which give way to
    # all others, take longer to start than it waits for them.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    monkeypatch.setenv("RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S", "60")
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    serve = pytest.importorskip("ray.serve", reason="the extra `ray` is not installed")
    import http.client

    from api import cluster

    port = free_port()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        serve.start(http_options={"host": "127.0.0.1", "port": port})
        serve.run(cluster.application)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request("POST", "/v1/read", canary().image, {"Content-Type": "image/jpeg"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        assert response.status == 200
        assert tuple(tile["tile"] for tile in answer["tiles"]) == canary().tiles
        connection.close()
    finally:
        serve.shutdown()
        ray.shutdown()
