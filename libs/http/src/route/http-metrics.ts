import { LatencyHistogram } from '@engawa/service';
import type { Span } from '@opentelemetry/api';
import type { Registry } from 'prom-client';

/** Status of requests whose client disconnected before the response was complete. */
const clientClosedRequest = 499;

/** Route label of requests that match no route, which keeps the number of labels bounded. */
export const unmatched = 'unmatched';

/** Bucket bounds of request durations in seconds; one of them is the target of the latency objective. */
export const requestDurationBounds = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const;

interface FinishedRequest {
  method: string;
  route: string;
  seconds: number;
  span: Span | undefined;
}

/** Request durations, with name and buckets of OpenTelemetry's HTTP conventions. */
export class HttpMetrics {
  readonly #duration: LatencyHistogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.#duration = new LatencyHistogram(registry, {
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP requests in seconds, from the request headers to the end of the response.',
      labelNames: ['method', 'route', 'status'],
      buckets: [...requestDurationBounds],
    });
  }

  answered(request: FinishedRequest & { status: number }): void {
    const { seconds, span, ...labels } = request;
    this.#duration.observe(labels, seconds, span);
  }

  clientDisconnected(request: FinishedRequest): void {
    this.answered({ ...request, status: clientClosedRequest });
  }
}
