import { z } from 'zod';
import { bareHttpUrl } from './bare-url.ts';
import { definedValues } from './defined-values.ts';

const httpUrl = bareHttpUrl('http://127.0.0.1:4318');

/** Comma-separated `key=value` pairs; values are percent-encoded (OpenTelemetry, "Resource SDK"). */
const resourceAttributes = /^[^=,]+=[^=,]*(?:,[^=,]+=[^=,]*)*$/;

/**
 * The OpenTelemetry variables that switch tracing on, or that are checked here and have a value in
 * the chart. The SDK reads all others as well (docs/traces.md).
 */
const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'OTLP endpoint of a collector; traces are sent to its path `/v1/traces`. Tracing is off unless this or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl
    .optional()
    .describe('Full URL to which traces are sent, for a collector with another path.'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('Value of `service.name` in every span; by default the name of the service.'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .regex(resourceAttributes, 'it must be comma-separated key=value pairs')
    .optional()
    .describe(
      'Additional resource attributes of every span, such as `deployment.environment.name=home,k8s.pod.name=ingestion-0`.',
    ),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional()
    .describe(
      'Sampler that selects the recorded traces, as OpenTelemetry names it. The default `parentbased_always_on` follows the decision of the publisher or client, and records all traces that start here.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Ratio of traces (0 to 1) that `traceidratio` and `parentbased_traceidratio` record.',
    ),
};

/** Settings of every service; an app spreads them into its own settings object. */
export const serviceSettings = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Minimum severity of log lines; `debug` adds stack traces of start-up errors.'),
  ...tracingSettings,
  SHUTDOWN_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600_000)
    .default(25_000)
    .describe(
      'Maximum duration of a shutdown after SHUTDOWN_DRAIN_MS, in milliseconds; then the process exits without finishing it.',
    ),
  SHUTDOWN_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300_000)
    .default(0)
    .describe(
      'Milliseconds for which an API keeps serving requests after SIGTERM; each response closes its connection. Set it to the time load balancers need to stop sending requests: some seconds on Kubernetes.',
    ),
};

/** The settings that every service has at least. */
export type ServiceSettings = z.ZodObject<typeof serviceSettings>;

/**
 * The service settings before all settings are checked. An invalid value counts as absent here:
 * `loadSettings` reports it together with all other errors, once the module of the service is
 * loaded.
 */
export function earlySettings(environment: NodeJS.ProcessEnv): z.output<ServiceSettings> {
  const schema = z.object(serviceSettings);
  const given = definedValues(Object.keys(serviceSettings), environment);
  const wrong = schema.safeParse(given).error?.issues.map(({ path }) => path[0]) ?? [];
  return schema.parse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name))),
  );
}
