import { Registry } from 'prom-client';
import type { Request } from 'express';
import type { Metric, OpenMetricsContentType } from 'prom-client';

const openMetrics = 'application/openmetrics-text';

/**
 * Whether a scrape prefers OpenMetrics, which has exemplars, to the text that everybody reads. Only the media type is looked at:
 * Prometheus 2 asks for versions 1.0.0 and 0.0.1, Prometheus 3 with an `escaping` as well.
 */
export function wantsOpenMetrics(request: Request): boolean {
  const [preferred] = request
    .accepts()
    .filter((type) => [openMetrics, 'text/plain', 'text/*', '*/*'].includes(type));
  return preferred === openMetrics;
}

/**
 * The metrics of a registry as OpenMetrics has them, for one scrape. prom-client takes `_total` from the names of counters themselves
 * when it writes OpenMetrics, and writes one form at a time; derived objects leave the originals as they are.
 */
export function openMetricsOf(registry: Registry): Registry<OpenMetricsContentType> {
  const derived = new Registry<OpenMetricsContentType>();
  derived.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const metric of registry.getMetricsAsArray()) {
    derived.registerMetric(Object.create(metric) as Metric);
  }
  return derived;
}
