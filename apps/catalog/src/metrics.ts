export { ExpiryMetrics } from './expiry/expiry-metrics.ts';
export { FullTextMetrics } from './full-text/full-text-metrics.ts';
