import { trace, TraceFlags } from '@opentelemetry/api';
import { Histogram } from 'prom-client';
import type { Span } from '@opentelemetry/api';
import type { HistogramConfiguration, Registry } from 'prom-client';

type LatencyConfiguration<Label extends string> = Pick<
  HistogramConfiguration<Label>,
  'name' | 'help' | 'labelNames' | 'buckets'
>;

const none = Object.freeze({});

/** Seconds that something took, each bucket with the trace of its last value as an exemplar. Only OpenMetrics shows exemplars. */
export class LatencyHistogram<Label extends string = never> {
  readonly #histogram: Histogram<Label>;

  constructor(registry: Registry, configuration: LatencyConfiguration<Label>) {
    // prom-client refuses exemplars to a registry of plain text, which is a registry of both here (libs/http, open-metrics.ts).
    this.#histogram = new Histogram({ ...configuration, registers: [], enableExemplars: true });
    registry.registerMetric(this.#histogram);
  }

  /** @param span what took the time; the active span where none is given */
  observe(labels: Partial<Record<Label, string | number>>, seconds: number, span?: Span): void {
    this.#histogram.observe({ labels, value: seconds, exemplarLabels: exemplarLabels(span) });
  }
}

/** The ids of a span whose trace is recorded; empty where there is none. */
function exemplarLabels(span: Span | undefined = trace.getActiveSpan()): object {
  const context = span?.spanContext();
  if (context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0) return none;
  return { trace_id: context.traceId, span_id: context.spanId };
}
