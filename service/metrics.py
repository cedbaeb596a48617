"""The figures as Prometheus reads them. Needs the extra `metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

from tierce.service.calls import Front
from tierce.service.faults import ServiceError
from tierce.service.figures import BUCKETS
from tierce.solver.errors import InputError

__all__ = ["serve"]


def serve(front: Front, host: str, port: int) -> Callable[[], None]:
    """Answer on a port of its own, until what comes back is called. ServiceError "metrics" without the package;
    InputError for a port that is taken."""
    try:
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
            Metric,
        )
        from prometheus_client.registry import Collector
    except ImportError:
        raise ServiceError("metrics", "--metrics needs prometheus-client: pip install 'tierce[metrics]'") from None

    class Figures(Collector):
        def collect(self) -> Iterator[Metric]:
            figures, pool, cache = front.figures, front.pool, front.cache
            calls = CounterMetricFamily("tierce_calls", "Calls by method and status.", labels=["method", "status"])
            for (method, status), number in list(figures.calls.items()):
                calls.add_metric([method, status], number)
            yield calls
            seconds = HistogramMetricFamily("tierce_call_seconds", "Seconds that calls took.", labels=["method"])
            for method, counts in list(figures.buckets.items()):
                names = [*map(str, BUCKETS), "+Inf"]
                pairs = list(zip(names, accumulate(counts), strict=True))
                seconds.add_metric([method], pairs, figures.seconds[method])
            yield seconds
            nodes = CounterMetricFamily("tierce_nodes", "Starts of tricks searched.", labels=["method"])
            for method, number in list(figures.nodes.items()):
                nodes.add_metric([method], number)
            yield nodes
            yield CounterMetricFamily("tierce_questions", "Questions of SolveMany.", value=figures.questions)
            yield CounterMetricFamily("tierce_cache_hits", "Answers that were kept.", value=cache.hits)
            yield CounterMetricFamily("tierce_cache_misses", "Answers that were not.", value=cache.misses)
            for name, text, value in (
                ("open_calls", "Calls that are open.", figures.open),
                ("streams", "Streams that are open.", figures.streams),
                ("queue", "Pieces of work that wait.", pool.waiting),
                ("busy", "Threads at work.", pool.busy),
                ("cache_answers", "Answers kept.", len(cache)),
                ("cache_bytes", "Memory of answers kept.", cache.bytes),
            ):
                yield GaugeMetricFamily(f"tierce_{name}", text, value=value)

    registry = CollectorRegistry()
    registry.register(Figures())
    try:
        server, thread = start_http_server(port, addr=host.strip("[]"), registry=registry)
    except OSError as error:
        message = f"expected a port that is free for metrics, found {port}: {error.strerror or error}"
        raise InputError("listen", message, field="metrics") from None

    def end() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return end
