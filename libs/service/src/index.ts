export { activeTracer } from './telemetry/active-tracer.ts';
export { bareHttpUrl, bareUrl } from './settings/bare-url.ts';
export { documentSettings } from './settings/document-settings.ts';
export type { SettingRow } from './settings/document-settings.ts';
export { FrequentCounter } from './telemetry/frequent-counter.ts';
export type { Tally } from './telemetry/frequent-counter.ts';
export { LatencyHistogram } from './telemetry/latency-histogram.ts';
export { loadSettings } from './settings/load-settings.ts';
export { registerInvariantMetrics } from './telemetry/invariant-metrics.ts';
export { registerMemoryMetrics } from './telemetry/memory-metrics.ts';
export { messageOf } from './logging/message-of.ts';
export { registerReadinessMetrics } from './telemetry/readiness-metrics.ts';
export { Readiness } from './telemetry/readiness.ts';
export type { Blocking, UnmetRequirement } from './telemetry/readiness.ts';
export {
  countingUnits,
  RequestUnits,
  sharesUnits,
  unitsOfTask,
} from './telemetry/request-units.ts';
export { runService, runTask } from './run-service.ts';
export type { ServiceContext, ServiceModule } from './service-context.ts';
export { serviceSettings } from './settings/settings.ts';
export type { ServiceSettings } from './settings/settings.ts';
export { startService } from './start-service.ts';
export type { RunningService, StartServiceOptions } from './start-service.ts';
export { version } from './telemetry/version.ts';
