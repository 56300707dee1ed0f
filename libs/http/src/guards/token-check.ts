import { Problem } from '@engawa/errors';
import { errors, jwtVerify } from 'jose';
import { sufficientScopes } from '../route/caller.ts';
import { tokenType } from '../settings/guard-settings.ts';
import { allPlaces, placesOf } from '../route/places.ts';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import type { Caller } from '../route/caller.ts';
import type { RejectionReason, TokenRejections } from './token-rejections.ts';

export interface TokenCheckOptions {
  /** Prefix of the scopes: `query` for `query:read`. */
  service: string;
  issuer: string;
  audience: string;
  algorithms: readonly string[];
  /** Accepted values of the header `typ`, normalized by `tokenType`; `none` for a token without it. */
  types: readonly string[];
  clockToleranceSeconds: number;
  /** The claim with the caller's places; undefined where all callers may access all places. */
  placesClaim: string | undefined;
  keys: JWTVerifyGetKey;
  rejections: TokenRejections;
}

/** Characters of the Authorization header. Tokens have less than 2 KB; longer headers are not parsed. */
const maxHeaderLength = 8192;

/** RFC 6750 section 2.1. */
const bearer = /^bearer +([\w.~+/-]+=*)$/i;

/** Verifies access tokens (RFC 9068, RFC 8725). Error messages do not contain parts of the token. */
export class TokenCheck {
  readonly service: string;
  readonly #options: TokenCheckOptions;

  constructor(options: TokenCheckOptions) {
    this.service = options.service;
    this.#options = options;
  }

  /** @throws Problem `unauthenticated` or `keys-unavailable` */
  async check(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined)
      throw unauthenticated('This route needs a token in the Authorization header.');
    const token =
      authorization.length > maxHeaderLength ? undefined : bearer.exec(authorization)?.[1];
    if (token === undefined) {
      throw unauthenticated(
        `The Authorization header must be "Bearer <token>", of at most ${maxHeaderLength} characters.`,
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
      if (error instanceof Problem && error.code !== 'unauthenticated') throw error;
      const { reason, problem } = rejectionOf(error);
      this.#options.rejections.count(reason, audience);
      throw problem;
    }
  }

  #caller(payload: JWTPayload): Caller {
    const granted = new Set([...words(payload['scope']), ...words(payload['scp'])]);
    const { service, placesClaim, clockToleranceSeconds } = this.#options;
    return {
      subject: typeof payload.sub === 'string' ? payload.sub : undefined,
      allows: (scope) =>
        sufficientScopes[scope].some((enough) => granted.has(`${service}:${enough}`)),
      // A token without the claim has no places: it may be older than the setting.
      places: placesClaim === undefined ? allPlaces : placesOf(words(payload[placesClaim])),
      expiresAt: (Number(payload.exp) + clockToleranceSeconds) * 1000,
    };
  }
}

/** Verifies a token. One without `kid` may be signed with any key of its algorithm (RFC 7515, section 4.1.4). */
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
 * Checks the type of a token (RFC 9068, section 4): otherwise an ID token, which every client of
 * the issuer has, would be accepted.
 * @throws Problem `unauthenticated`
 */
function checkType(typ: string | undefined, types: readonly string[]): void {
  const given = typ === undefined ? 'none' : tokenType(typ);
  if (types.includes(given) && typ?.toLowerCase() !== 'none') return;
  throw unauthenticated(
    `The \`typ\` of the token must be one of ${types.join(', ')} (AUTH_TOKEN_TYPES).`,
  );
}

/** The values of a claim: a space-separated string (RFC 8693, section 4.2), or an array, as some issuers write it. */
function words(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : [];
}

/** Why a token is rejected, without the error as cause, since it contains the claims. */
function rejectionOf(error: unknown): { reason: RejectionReason; problem: Problem } {
  if (error instanceof Problem) return { reason: 'type', problem: error };
  const reason = rejectionReason(error);
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : '';
  return { reason, problem: unauthenticated(details(claim)[reason]) };
}

function rejectionReason(error: unknown): RejectionReason {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'invalid';
  if (error.claim === 'aud') return 'audience';
  return error.claim === 'iss' ? 'issuer' : 'claim';
}

function details(claim: string): Record<RejectionReason, string> {
  const mismatch = `The claim \`${claim}\` of the token is missing or does not match the configuration of the service.`;
  const invalid = 'The token is not a valid token of the configured issuer.';
  return {
    ...{ audience: mismatch, issuer: mismatch, claim: mismatch, invalid, type: invalid },
    expired: 'The token has expired.',
    algorithm: 'The signature algorithm of the token is not accepted (AUTH_ALGORITHMS).',
  };
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail);
}
