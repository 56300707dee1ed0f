import { z } from 'zod';

const whole = z.coerce.number().int();

/** What is signed with a secret that both sides know (HS256) is not here: a service that checks could sign as well. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** RFC 7515 section 4.1.9: a media type, in any case, whose `application/` may be left out. */
export function tokenType(typ: string): string {
  return typ
    .trim()
    .toLowerCase()
    .replace(/^application\/(?=[^/]+$)/, '');
}

/** How much may be asked of a service. */
export const limitSettings = {
  REQUEST_DEADLINE_MS: whole
    .min(1)
    .max(600_000)
    .default(10_000)
    .describe(
      'Milliseconds after which an answer ends with a shorter page and a cursor; at three times that it is given up.',
    ),
  REQUEST_UNIT_LIMIT: whole
    .min(1)
    .max(1_000_000_000)
    .default(4000)
    .describe('Read units of the table after which an answer ends with a shorter page.'),
  MAX_REQUESTS_IN_FLIGHT: whole
    .min(1)
    .max(65_535)
    .default(256)
    .describe(
      'Requests that are answered at the same time; more are refused with 503. A client alone gets two thirds of them, several share them.',
    ),
  MIN_TRANSFER_BYTES_PER_SECOND: whole
    .min(1)
    .max(1_000_000_000)
    .default(10_000)
    .describe(
      'Bytes a second, on the wire, at which a client has to send a body and take an answer.',
    ),
  TRANSFER_GRACE_MS: whole
    .min(100)
    .max(600_000)
    .default(20_000)
    .describe(
      'Milliseconds that a client may be slower than that; then its request ends with 408, and its answer breaks off.',
    ),
  RATE_LIMIT_PER_MINUTE: whole
    .min(0)
    .max(1_000_000_000)
    .default(6000)
    .describe(
      'Requests a minute that a client (the subject of a token, else an address) may send to a replica; 0 is no limit.',
    ),
  TRUSTED_PROXIES: whole
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'How many proxies in front of the service write X-Forwarded-For; with 0 the header is not believed.',
    ),
};

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'it must be an http or https URL, such as https://login.example.com/realm',
});

/** Who may ask. */
export const authSettings = {
  AUTH_MODE: z
    .enum(['jwt', 'none'])
    .optional()
    .describe(
      'Whether requests need a token (jwt) or not (none). It has to be set unless HOST is a loopback address, where it is none.',
    ),
  AUTH_ISSUER: httpUrl
    .optional()
    .describe('Who signs the tokens: their `iss`, to the letter. Needed for AUTH_MODE=jwt.'),
  AUTH_AUDIENCE: z
    .string()
    .optional()
    .describe('Whom the tokens are for: in their `aud`. Needed for AUTH_MODE=jwt.'),
  AUTH_JWKS_URL: httpUrl
    .optional()
    .describe(
      'Where the keys of the issuer are; by default where its /.well-known/openid-configuration says.',
    ),
  AUTH_ALGORITHMS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(algorithms)))
    .prefault('RS256,ES256')
    .describe('Signature algorithms that tokens may have, comma-separated.'),
  AUTH_TOKEN_TYPES: z
    .string()
    .transform((text) => text.split(',').map(tokenType))
    .pipe(z.array(z.string().min(1)))
    .prefault('at+jwt')
    .describe(
      'Values of the header `typ` that tokens may have, comma-separated; `none` is a token without one. at+jwt is what RFC 9068 asks for; many issuers write JWT, also into ID tokens.',
    ),
  AUTH_CLOCK_TOLERANCE_S: whole
    .min(0)
    .max(300)
    .default(5)
    .describe('Seconds by which the clocks of issuer and service may differ.'),
  AUTH_PLACES_CLAIM: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The claim of a token that lists the places its bearer may see, by id or pattern (`home-*`); without this setting, every bearer may see all.',
    ),
};
