import { LatencyHistogram } from '@engawa/service';
import type { Span } from '@opentelemetry/api';
import type { Registry } from 'prom-client';

/** The status under which a request is counted whose client hung up before the answer. */
const clientClosedRequest = 499;

/** The route under which requests to no route are counted, so that labels stay bounded. */
export const unmatched = 'unmatched';

/** Seconds: the bounds of the buckets of request durations, one of which is the target of the latency objective. */
export const requestDurationBounds = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const;

interface AnsweredRequest {
  method: string;
  route: string;
  seconds: number;
  span: Span | undefined;
}

/** What the API answered, and how fast. Named and bucketed as OpenTelemetry's HTTP conventions say. */
export class HttpMetrics {
  readonly #duration: LatencyHistogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.#duration = new LatencyHistogram(registry, {
      name: 'http_server_request_duration_seconds',
      help: 'Seconds from the head of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [...requestDurationBounds],
    });
  }

  answered(request: AnsweredRequest & { status: number }): void {
    const { seconds, span, ...labels } = request;
    this.#duration.observe(labels, seconds, span);
  }

  hungUp(request: AnsweredRequest): void {
    this.answered({ ...request, status: clientClosedRequest });
  }
}
