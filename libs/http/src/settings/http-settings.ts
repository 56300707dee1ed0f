import { z } from 'zod';
import { authSettings, limitSettings } from './guard-settings.ts';

const port = z.coerce.number().int().min(0).max(65_535);

/** What is shown to whoever asks, and gets a path behind it. */
function isBare(url: string): boolean {
  if (!URL.canParse(url)) return true; // another fault
  const { username, password, search, hash } = new URL(url);
  return [username, password, search, hash].every((part) => part === '');
}

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
  MAX_CONNECTION_AGE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400_000)
    .default(300_000)
    .describe(
      'A connection that is older, in milliseconds, closes with its next answer, so that clients find new replicas; up to a fifth less by chance; 0 is no limit.',
    ),
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
      z.array(
        z
          .url({ protocol: /^https?$/, error: 'it must be http or https URLs, with commas' })
          .refine(isBare, 'it must be URLs without user, password, query or fragment'),
      ),
    )
    .describe(
      'URLs of the APIs whose hot partitions are shown together, with commas; a name with several addresses, such as that of a headless service, stands for each of them.',
    ),
  ...limitSettings,
  ...authSettings,
};

export type HttpConfig = z.output<z.ZodObject<typeof httpSettings>>;
