import { bareHttpUrl } from '@engawa/service';
import { z } from 'zod';

const whole = z.coerce.number().int();

/** Asymmetric algorithms only: with a shared secret (HS256), a service that verifies tokens could also sign them. */
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

/** Limits of requests. */
export const limitSettings = {
  REQUEST_DEADLINE_MS: whole
    .min(1)
    .max(600_000)
    .default(10_000)
    .describe(
      'Milliseconds after which a list response ends with a shorter page and a cursor; a request that takes three times as long fails with 503.',
    ),
  REQUEST_UNIT_LIMIT: whole
    .min(1)
    .max(1_000_000_000)
    .default(4000)
    .describe(
      'DynamoDB read units after which a list response ends with a shorter page and a cursor.',
    ),
  RESPONSE_BYTE_LIMIT: whole
    .min(1000)
    .max(100_000_000)
    .default(1_000_000)
    .describe(
      'Bytes of JSON, before compression, after which a page ends earlier, with a cursor. A process computes six large pages at a time, each with up to 15 times as much memory.',
    ),
  MAX_REQUESTS_IN_FLIGHT: whole
    .min(1)
    .max(65_535)
    .default(256)
    .describe(
      'Maximum number of concurrent requests; further ones are rejected with 503. A single client may use two thirds of the maximum; several clients share it.',
    ),
  MIN_TRANSFER_BYTES_PER_SECOND: whole
    .min(1)
    .max(1_000_000_000)
    .default(10_000)
    .describe(
      'Minimum rate, in bytes a second on the wire, at which a client must send a body and read a response.',
    ),
  TRANSFER_GRACE_MS: whole
    .min(100)
    .max(600_000)
    .default(20_000)
    .describe(
      'Milliseconds for which a client may be slower than MIN_TRANSFER_BYTES_PER_SECOND; then its request fails with 408, or its response is aborted.',
    ),
  RATE_LIMIT_PER_MINUTE: whole
    .min(0)
    .max(1_000_000_000)
    .default(6000)
    .describe(
      'Maximum number of requests a minute from one client (the subject of its token, else its address) to one replica; 0 disables the limit.',
    ),
  TRUSTED_PROXIES: whole
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'Number of trusted proxies in front of the service that write X-Forwarded-For; with 0 the header is ignored.',
    ),
};

const httpUrl = bareHttpUrl('https://login.example.com/realm');

/** Authentication and authorization. */
export const authSettings = {
  AUTH_MODE: z
    .enum(['jwt', 'none'])
    .optional()
    .describe(
      'Whether requests need a bearer token (jwt) or not (none). Required unless HOST is a loopback address, where the default is none.',
    ),
  ALLOWED_HOSTS: z
    .string()
    .prefault('')
    .transform((text) => text.split(',').flatMap((name) => name.trim().toLowerCase() || []))
    .pipe(
      z.array(
        z
          .string()
          .regex(/^(?:\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*)$/, 'it must be host names without ports'),
      ),
    )
    .describe(
      'Comma-separated host names under which clients reach the service without authentication (AUTH_MODE=none), in addition to IP addresses, localhost and names of the cluster; `*.example.com` for all names below it, `*` for any name. Other names are refused: any site could point its name at this address, and read the answers in the browsers of its visitors.',
    ),
  AUTH_ISSUER: httpUrl
    .optional()
    .describe('Issuer of the tokens, exactly as in their claim `iss`. Required for AUTH_MODE=jwt.'),
  AUTH_AUDIENCE: z
    .string()
    .optional()
    .describe(
      'Audience of the tokens, contained in their claim `aud`. Required for AUTH_MODE=jwt.',
    ),
  AUTH_JWKS_URL: httpUrl
    .optional()
    .describe(
      'URL of the signing keys (JWKS) of the issuer; by default the one in its /.well-known/openid-configuration.',
    ),
  AUTH_ALGORITHMS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(algorithms)))
    .prefault('RS256,ES256')
    .describe('Accepted signature algorithms of tokens, comma-separated.'),
  AUTH_TOKEN_TYPES: z
    .string()
    .transform((text) => text.split(',').map(tokenType))
    .pipe(z.array(z.string().min(1)))
    .prefault('at+jwt')
    .describe(
      'Accepted values of the token header `typ`, comma-separated; `none` accepts tokens without it. RFC 9068 requires at+jwt; many issuers write JWT, also into ID tokens.',
    ),
  AUTH_CLOCK_TOLERANCE_S: whole
    .min(0)
    .max(300)
    .default(5)
    .describe('Maximum clock difference between issuer and service, in seconds.'),
  AUTH_PLACES_CLAIM: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Claim that lists the places that the bearer of a token may access, by id or pattern (`home-*`). Without this setting, every bearer may access all places.',
    ),
};
