import { Problem } from '@engawa/errors';
import { errors, jwtVerify } from 'jose';
import { scopes } from '../route/caller.ts';
import { tokenType } from '../settings/guard-settings.ts';
import { allPlaces, placesOf } from '../route/places.ts';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import type { Caller } from '../route/caller.ts';

export interface TokenCheckOptions {
  /** Whose scopes count, such as `query` for `query:read`. */
  service: string;
  issuer: string;
  audience: string;
  algorithms: readonly string[];
  /** Of the header's `typ`, as `tokenType` writes them; `none` for a token without. */
  types: readonly string[];
  /** Seconds. */
  clockToleranceSeconds: number;
  /** The claim that lists the caller's places; undefined where every caller has all of them. */
  placesClaim: string | undefined;
  keys: JWTVerifyGetKey;
}

/** Characters of the whole header. Tokens are under 2 KB; what is longer is not worth reading. */
const maxHeaderLength = 8192;

/** RFC 6750 section 2.1. */
const bearer = /^bearer +([\w.~+/-]+=*)$/i;

/** Checks access tokens (RFC 9068, RFC 8725); says no more about a bad one than its owner needs to know. */
export class TokenCheck {
  readonly service: string;
  readonly #options: TokenCheckOptions;

  constructor(options: TokenCheckOptions) {
    this.service = options.service;
    this.#options = options;
  }

  /** @throws Problem `unauthenticated` or `keys-unavailable` */
  async check(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined) throw unauthenticated('A token is needed here.');
    const token =
      authorization.length > maxHeaderLength ? undefined : bearer.exec(authorization)?.[1];
    if (token === undefined) {
      throw unauthenticated(
        `Authorization must be Bearer and a token, in ${maxHeaderLength} characters.`,
      );
    }
    const { issuer, audience, algorithms, clockToleranceSeconds, keys, types } = this.#options;
    try {
      const { payload, protectedHeader } = await verified(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp'],
      });
      checkType(protectedHeader.typ, types);
      return this.#caller(payload);
    } catch (error) {
      throw error instanceof Problem ? error : unauthenticated(whatIsWrong(error));
    }
  }

  #caller(payload: JWTPayload): Caller {
    const granted = new Set([...words(payload['scope']), ...words(payload['scp'])]);
    const { service, placesClaim } = this.#options;
    return {
      subject: typeof payload.sub === 'string' ? payload.sub : undefined,
      allows: (scope) =>
        scopes.slice(scopes.indexOf(scope)).some((enough) => granted.has(`${service}:${enough}`)),
      // A token that says nothing of places has none: it may be older than the setting.
      places: placesClaim === undefined ? allPlaces : placesOf(words(payload[placesClaim])),
    };
  }
}

/** A token that names no key may be signed with any key of its algorithm (RFC 7515 section 4.1.4: `kid` is optional). */
async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (mismatch) {
        if (!(mismatch instanceof errors.JWSSignatureVerificationFailed)) throw mismatch;
      }
    }
    throw error;
  }
}

/**
 * RFC 9068 section 4: otherwise an ID token, which every client of the issuer has, would do for an access token.
 * @throws Problem `unauthenticated`
 */
function checkType(typ: string | undefined, types: readonly string[]): void {
  const given = typ === undefined ? 'none' : tokenType(typ);
  if (types.includes(given) && typ?.toLowerCase() !== 'none') return;
  throw unauthenticated(
    `The \`typ\` of the token must be one of ${types.join(', ')} here (AUTH_TOKEN_TYPES).`,
  );
}

/** RFC 8693 section 4.2 has a text with spaces; others have a list, or the text under the other name. */
function words(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : [];
}

/** Nothing of the token itself, and never the error as a cause: it holds the claims. */
function whatIsWrong(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The \`${error.claim}\` of the token is missing or not what it has to be here.`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The algorithm of the token is not taken.';
  return 'The token is not one of the issuer that is trusted here.';
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail);
}
