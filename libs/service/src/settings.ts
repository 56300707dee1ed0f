import { z } from 'zod';
import { givenValues } from './given-values.ts';

/** Settings that every service has; an app spreads them into its own object of settings. */
export const serviceSettings = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('The least severe log lines that are written; debug also shows stacks at start.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'it must be an http or https URL, such as http://127.0.0.1:4318',
    })
    .optional()
    .describe('OTLP endpoint that traces are sent to; without it there is no tracing.'),
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
