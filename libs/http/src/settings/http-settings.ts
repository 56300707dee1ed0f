import { z } from 'zod';
import { authSettings, limitSettings } from './guard-settings.ts';

const port = z.coerce.number().int().min(0).max(65_535);

/** Without parts that a report must not show (credentials) or that do not combine with an appended path. */
function isBare(url: string): boolean {
  if (!URL.canParse(url)) return true; // reported by z.url
  const { username, password, search, hash } = new URL(url);
  return [username, password, search, hash].every((part) => part === '');
}

/** The HTTP settings of a service, by environment variable. */
export const httpSettings = {
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'Address to listen on, for the API and the probes; 0.0.0.0 listens on all IPv4 addresses.',
    ),
  PORT: port.default(8080).describe('TCP port of the API; 0 selects a free port.'),
  METRICS_PORT: port
    .default(9464)
    .describe('TCP port of /livez, /readyz and /metrics; 0 selects a free port.'),
  MAX_CONNECTION_AGE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400_000)
    .default(300_000)
    .describe(
      'Maximum age of a connection, in milliseconds; an older one closes after its next response, so that clients connect to new replicas. Each connection gets a random age of 80 to 100 % of this value; 0 disables the limit.',
    ),
  CURSOR_SECRET: z
    .string()
    .min(32)
    .optional()
    .meta({ secret: true })
    .describe(
      'Key that encrypts page cursors and authenticates requests between processes, at least 32 characters, the same on all replicas; by default random per process.',
    ),
  HOT_PARTITION_PEERS: z
    .string()
    .prefault('')
    .transform((text) => text.split(',').flatMap((url) => url.trim() || []))
    .pipe(
      z.array(
        z
          .url({ protocol: /^https?$/, error: 'it must be comma-separated http or https URLs' })
          .refine(isBare, 'it must be URLs without user, password, query or fragment'),
      ),
    )
    .describe(
      'Comma-separated URLs of the APIs of all processes, for the merged hot-partition report and to detect keys that are hot only in total. A host name with several addresses, such as that of a headless service, stands for all of them.',
    ),
  ...limitSettings,
  ...authSettings,
};

export type HttpConfig = z.output<z.ZodObject<typeof httpSettings>>;
