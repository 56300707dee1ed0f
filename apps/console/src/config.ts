import { httpSettings } from '@engawa/http';
import { bareHttpUrl, bareUrl, serviceSettings } from '@engawa/service';
import { z } from 'zod';

const serviceUrl = (service: string, port: number) =>
  bareHttpUrl(`http://127.0.0.1:${port}`)
    .default(`http://127.0.0.1:${port}`)
    .describe(`URL of the API of ${service}, to which the console forwards requests.`);

const metricsUrl = (service: string, port: number) =>
  bareHttpUrl(`http://127.0.0.1:${port}`)
    .default(`http://127.0.0.1:${port}`)
    .describe(
      `URL of METRICS_PORT of ${service}, for the page Health. A host name with several addresses, such as that of a headless service, stands for all of its processes.`,
    );

const unitPrice = (unit: string, dollars: number) =>
  z.coerce
    .number()
    .min(0)
    .max(1000)
    .default(dollars)
    .describe(`US dollars per million ${unit} units, for the costs on the page Health.`);

const { HOST, PORT, METRICS_PORT, MAX_CONNECTION_AGE_MS } = httpSettings;
const { ALLOWED_HOSTS, AUTH_MODE, AUTH_ISSUER } = httpSettings;

export const settings = z.object({
  ...serviceSettings,
  HOST,
  PORT,
  METRICS_PORT,
  MAX_CONNECTION_AGE_MS,
  ALLOWED_HOSTS,
  AUTH_MODE,
  AUTH_ISSUER,
  AUTH_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Client id of the console at AUTH_ISSUER, a public client (authorization code flow with PKCE). Without it, users paste a token.',
    ),
  AUTH_SCOPES: z
    .string()
    .default('openid ingestion:read registry:read registry:write query:read catalog:read')
    .describe(
      'Scopes that the console requests at sign-in, separated by spaces. Approving devices needs `registry:write`, replaying dead letters `ingestion:write`, the Table page `query:table`.',
    ),
  AUTH_CLIENT_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Parameter `audience` of the sign-in at AUTH_ISSUER. Auth0 issues tokens for an API only with its identifier.',
    ),
  INGESTION_URL: serviceUrl('ingestion', 4001),
  REGISTRY_URL: serviceUrl('registry', 4002),
  QUERY_URL: serviceUrl('query', 4003),
  CATALOG_URL: serviceUrl('catalog', 4004),
  INGESTION_METRICS_URL: metricsUrl('ingestion', 9401),
  REGISTRY_METRICS_URL: metricsUrl('registry', 9402),
  QUERY_METRICS_URL: metricsUrl('query', 9403),
  CATALOG_METRICS_URL: metricsUrl('catalog', 9404),
  PROMETHEUS_URL: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https URL' })
    // fetch() refuses such a URL, and repeats it in its error, which the page shows.
    .refine((url) => new URL(url).username === '' && new URL(url).password === '', {
      error: 'it must have no user or password: set PROMETHEUS_USERNAME and PROMETHEUS_PASSWORD',
    })
    .optional()
    .describe(
      'URL of the Prometheus that evaluates the alert rules, whose active alerts the page Health shows. NODE_EXTRA_CA_CERTS names the authority of its certificate if it is a private one.',
    ),
  PROMETHEUS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'it must be one word of ASCII characters')
    .optional()
    .meta({ secret: true })
    .describe('Bearer token for PROMETHEUS_URL.'),
  PROMETHEUS_USERNAME: z
    .string()
    .min(1)
    .optional()
    .describe('User for PROMETHEUS_URL (HTTP Basic authentication), with PROMETHEUS_PASSWORD.'),
  PROMETHEUS_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true })
    .describe('Password of PROMETHEUS_USERNAME.'),
  READ_UNIT_PRICE: unitPrice('read', 0.125),
  WRITE_UNIT_PRICE: unitPrice('write', 0.625),
  PRICE_SOURCE: z
    .string()
    .default(
      'on demand, standard table class, us-east-1, since November 2024 (aws.amazon.com/dynamodb/pricing)',
    )
    .describe('Region, table class and source of the prices, as shown beside the costs.'),
  LIVE_FEED_URLS: z
    .string()
    .prefault('')
    .transform((text) => text.split(',').flatMap((url) => url.trim() || []))
    .pipe(z.array(bareUrl(/^https?$/, 'it must be comma-separated URLs')))
    .describe(
      'Comma-separated URLs of the APIs of all ingestion processes, whose live feeds the console merges; by default INGESTION_URL. A host name with several addresses, such as that of a headless service, stands for all of them.',
    ),
  FORWARD_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600_000)
    .default(60_000)
    .describe(
      'Milliseconds for which a service may send nothing before a forwarded request fails; live feeds are exempt.',
    ),
});

export type Config = z.output<typeof settings>;
