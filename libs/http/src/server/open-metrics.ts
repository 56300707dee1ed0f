import { Registry } from 'prom-client';
import type { Request } from 'express';
import type { Metric, OpenMetricsContentType } from 'prom-client';

const openMetrics = 'application/openmetrics-text';

/**
 * Whether a scrape prefers OpenMetrics, which has exemplars, to the Prometheus text format.
 * Parameters of the media type are ignored: Prometheus 2 accepts versions 1.0.0 and 0.0.1,
 * Prometheus 3 also sends `escaping`.
 */
export function wantsOpenMetrics(request: Request): boolean {
  const [preferred] = request
    .accepts()
    .filter((type) => [openMetrics, 'text/plain', 'text/*', '*/*'].includes(type));
  return preferred === openMetrics;
}

/**
 * The metrics of a registry in the OpenMetrics format, for one scrape. To write it, prom-client
 * removes `_total` from the names of the counters themselves; derived objects keep the originals
 * unchanged.
 */
export function openMetricsOf(registry: Registry): Registry<OpenMetricsContentType> {
  const derived = new Registry<OpenMetricsContentType>();
  derived.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const metric of registry.getMetricsAsArray()) {
    derived.registerMetric(Object.create(metric) as Metric);
  }
  return derived;
}
