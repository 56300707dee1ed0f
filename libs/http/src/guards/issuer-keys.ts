import { Problem } from '@engawa/errors';
import { createLocalJWKSet, errors } from 'jose';
import { z } from 'zod';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';

/** Milliseconds. */
export interface KeyTimes {
  /** After which keys are asked for again, so that one that the issuer has withdrawn is not believed for long. */
  maxAgeMs: number;
  /** Between two times that a token with an unknown key makes us ask: such tokens cost nothing to make. */
  minRefetchIntervalMs: number;
  /** After a failure. */
  retryDelayMs: number;
}

export interface IssuerKeysOptions {
  issuer: string;
  /** By default what the issuer's configuration says (OpenID Connect Discovery 1.0, section 4). */
  jwksUrl: string | undefined;
  log: Logger;
  times?: Partial<KeyTimes>;
}

const defaultTimes: KeyTimes = {
  maxAgeMs: 600_000,
  minRefetchIntervalMs: 10_000,
  retryDelayMs: 5000,
};

/** For one answer of the issuer. */
const timeout = 5000;

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
});

/** The public keys of who signs the tokens: kept, renewed, and kept all the same while the issuer is away. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #times: KeyTimes;
  #known: { find: JWTVerifyGetKey; at: number } | undefined;
  #searchedAt = -Infinity;
  #failedAt = -Infinity;
  #fetching: Promise<JWTVerifyGetKey> | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
  }

  /**
   * The key that a token says it is signed with.
   * @throws Problem `keys-unavailable`, or an error of jose's where the issuer has no such key
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const find = this.#known?.find ?? (await this.#fetch());
    this.#renew();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await this.#search(error))(header, token);
    }
  };

  /** In the background: nobody waits for keys as long as there are some. */
  #renew(): void {
    if (this.#known === undefined || performance.now() - this.#known.at < this.#times.maxAgeMs)
      return;
    this.#fetch().catch(() => undefined); // logged already
  }

  /** For a key that the issuer may have begun to use since. */
  async #search(notFound: Error): Promise<JWTVerifyGetKey> {
    const now = performance.now();
    if (this.#fetching === undefined && now - this.#searchedAt < this.#times.minRefetchIntervalMs) {
      if (this.#failedAt > (this.#known?.at ?? -Infinity)) throw unavailable();
      throw notFound;
    }
    this.#searchedAt = now;
    return this.#fetch();
  }

  /** One fetch at a time, and none soon after one that failed. */
  async #fetch(): Promise<JWTVerifyGetKey> {
    if (this.#fetching === undefined) {
      if (performance.now() - this.#failedAt < this.#times.retryDelayMs) throw unavailable();
      this.#fetching = this.#fetchNow().finally(() => (this.#fetching = undefined));
    }
    return this.#fetching;
  }

  async #fetchNow(): Promise<JWTVerifyGetKey> {
    const { issuer, log } = this.#options;
    try {
      const url = this.#options.jwksUrl ?? (await discover(issuer));
      const find = createLocalJWKSet((await fetchJson(url)) as JSONWebKeySet);
      this.#known = { find, at: performance.now() };
      return find;
    } catch (error) {
      this.#failedAt = performance.now();
      log.warn({ err: error, issuer }, "the token issuer's signing keys are unavailable");
      throw unavailable();
    }
  }
}

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = discoverySchema.parse(await fetchJson(url));
  if (found.issuer !== issuer) throw new Error(`${url} is of the issuer ${found.issuer}`);
  return found.jwks_uri;
}

async function fetchJson(url: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.json();
}

function unavailable(): Problem {
  return new Problem('keys-unavailable', "The token issuer's signing keys are unavailable.");
}
