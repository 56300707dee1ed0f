import { trace, TraceFlags } from '@opentelemetry/api';
import { Histogram } from 'prom-client';
import type { Span } from '@opentelemetry/api';
import type { HistogramConfiguration, Registry } from 'prom-client';

type LatencyConfiguration<Label extends string> = Pick<
  HistogramConfiguration<Label>,
  'name' | 'help' | 'labelNames' | 'buckets'
>;

const none = Object.freeze({});

/**
 * A histogram of durations in seconds; each bucket has the trace of its last value as an exemplar,
 * which only OpenMetrics shows.
 */
export class LatencyHistogram<Label extends string = never> {
  readonly #histogram: Histogram<Label>;

  constructor(registry: Registry, configuration: LatencyConfiguration<Label>) {
    // prom-client rejects exemplars in a registry of the text format; libs/http (open-metrics.ts)
    // writes both formats of it.
    this.#histogram = new Histogram({ ...configuration, registers: [], enableExemplars: true });
    registry.registerMetric(this.#histogram);
  }

  /** @param span the measured span; by default the active one */
  observe(labels: Partial<Record<Label, string | number>>, seconds: number, span?: Span): void {
    this.#histogram.observe({ labels, value: seconds, exemplarLabels: exemplarLabels(span) });
  }
}

/** The ids of a span whose trace is recorded; otherwise empty. */
function exemplarLabels(span: Span | undefined = trace.getActiveSpan()): object {
  const context = span?.spanContext();
  if (context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0) return none;
  return { trace_id: context.traceId, span_id: context.spanId };
}
