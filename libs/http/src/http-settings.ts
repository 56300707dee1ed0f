import { z } from 'zod';
import { authSettings, limitSettings } from './guards/guard-settings.ts';

const port = z.coerce.number().int().min(0).max(65_535);

/** The settings of a service that answers over HTTP, by environment variable. */
export const httpSettings = {
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on, for the API and the probes; 0.0.0.0 is every address.'),
  PORT: port.default(8080).describe('TCP port of the API; 0 takes any free one.'),
  METRICS_PORT: port
    .default(9464)
    .describe('TCP port of /livez, /readyz and /metrics; 0 takes any free one.'),
  CURSOR_SECRET: z
    .string()
    .min(32)
    .optional()
    .meta({ secret: true })
    .describe(
      'Key that signs page cursors, at least 32 characters, the same on all replicas; random per process when absent.',
    ),
  HOT_PARTITION_PEERS: z
    .string()
    .prefault('')
    .transform((text) => text.split(',').flatMap((url) => url.trim() || []))
    .pipe(
      z.array(z.url({ protocol: /^https?$/, error: 'it must be http or https URLs, with commas' })),
    )
    .describe(
      'URLs of the APIs whose hot partitions are shown together, with commas; a name with several addresses, such as that of a headless service, stands for each of them.',
    ),
  ...limitSettings,
  ...authSettings,
};

export type HttpConfig = z.output<z.ZodObject<typeof httpSettings>>;
