import { z } from 'zod';
import { givenValues } from './given-values.ts';

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'it must be an http or https URL, such as http://127.0.0.1:4318',
});

/** `key=value`, with commas between; values are percent-encoded (OpenTelemetry, "Resource SDK"). */
const resourceAttributes = /^[^=,]+=[^=,]*(?:,[^=,]+=[^=,]*)*$/;

/**
 * Of OpenTelemetry's own variables, which its SDK reads, those that say whether there is tracing, or are worth a check and a value in
 * the chart. The others work as well (docs/traces.md).
 */
const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'OTLP endpoint of a collector; traces go to `/v1/traces` of it. Without it, and without OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, there is no tracing.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl
    .optional()
    .describe('URL that traces go to, as it is: for a collector with another path.'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('Value of `service.name` in every span; the name of the service when absent.'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .regex(resourceAttributes, 'it must be key=value pairs with commas between')
    .optional()
    .describe(
      'What else every span says of the process, such as `deployment.environment.name=home,k8s.pod.name=ingestion-0`.',
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
      'Which traces are recorded; `parentbased_always_on` when absent: what a publisher or client decided, and all that begin here.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Part of the traces that `traceidratio` and `parentbased_traceidratio` record.'),
};

/** Settings that every service has; an app spreads them into its own object of settings. */
export const serviceSettings = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('The least severe log lines that are written; debug also shows stacks at start.'),
  ...tracingSettings,
  SHUTDOWN_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600_000)
    .default(25_000)
    .describe(
      'How long closing may take after SHUTDOWN_DRAIN_MS, in milliseconds, before the process ends without it.',
    ),
  SHUTDOWN_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300_000)
    .default(0)
    .describe(
      'How long an API goes on answering after the service was told to close, in milliseconds; each answer announces the end of its connection. As long as load balancers take to stop sending: some seconds on Kubernetes.',
    ),
};

/** The least that a service's object of settings holds. */
export type ServiceSettings = z.ZodObject<typeof serviceSettings>;

/**
 * The service's own settings for the time before the whole is checked. A wrong value counts as not
 * set here: `loadSettings` reports it, together with all others, once the service's module is there.
 */
export function earlySettings(environment: NodeJS.ProcessEnv): z.output<ServiceSettings> {
  const schema = z.object(serviceSettings);
  const given = givenValues(Object.keys(serviceSettings), environment);
  const wrong = schema.safeParse(given).error?.issues.map(({ path }) => path[0]) ?? [];
  return schema.parse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name))),
  );
}
