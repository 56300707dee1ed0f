import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { messageOf } from '@engawa/service';
import { createLocalJWKSet, errors } from 'jose';
import { z } from 'zod';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';

/** Milliseconds. */
export interface KeyTimes {
  /** Age at which keys are fetched again, so that a withdrawn key is not trusted for long. */
  maxAgeMs: number;
  /** Minimum interval between two fetches for tokens with unknown keys: anyone can make such tokens. */
  minRefetchIntervalMs: number;
  /** Delay after a failed fetch. */
  retryDelayMs: number;
}

export interface IssuerKeysOptions {
  issuer: string;
  /** By default from the configuration of the issuer (OpenID Connect Discovery 1.0, section 4). */
  jwksUrl: string | undefined;
  log: Logger;
  times?: Partial<KeyTimes>;
}

const defaultTimes: KeyTimes = {
  maxAgeMs: 600_000,
  minRefetchIntervalMs: 10_000,
  retryDelayMs: 5000,
};

/** For one request to the issuer. */
const requestTimeoutMs = 5000;

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
});

/**
 * The public keys of the token issuer: cached, refreshed in the background, and kept while the
 * issuer is unavailable. `jose`'s createRemoteJWKSet does not keep stale keys (docs/adr/0075).
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #times: KeyTimes;
  #known: { find: JWTVerifyGetKey; at: number } | undefined;
  #refetchedAt = -Infinity;
  #failedAt = -Infinity;
  #fetching: Promise<JWTVerifyGetKey> | undefined;
  #failure = 'they have not been fetched yet';

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
  }

  /**
   * Finds the key that a token names.
   * @throws Problem `keys-unavailable`, or an error of jose where the issuer does not have the key
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const find = this.#known?.find ?? (await this.#fetch());
    this.#refresh();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await this.#refetch(error))(header, token);
    }
  };

  /** Why no token can be verified, for operators; undefined once the keys have been fetched. */
  get unavailableReason(): string | undefined {
    if (this.#known !== undefined) return undefined;
    return `the signing keys of ${this.#options.issuer} are unavailable: ${this.#failure}`;
  }

  /** Fetches the keys before a token needs them, again and again until the issuer has them. */
  async fetchUntilKnown(signal: AbortSignal): Promise<void> {
    const pause = { signal, ref: false };
    while (!signal.aborted) {
      const keys = await this.#fetch().catch(() => undefined); // logged already
      if (keys !== undefined) return;
      await sleep(this.#times.retryDelayMs, undefined, pause).catch(() => undefined);
    }
  }

  /** Refreshes keys in the background: requests do not wait while keys are cached. */
  #refresh(): void {
    if (this.#known === undefined || performance.now() - this.#known.at < this.#times.maxAgeMs)
      return;
    this.#fetch().catch(() => undefined); // logged already
  }

  /** Fetches keys again for a token with an unknown key, which the issuer may have introduced since. */
  async #refetch(notFound: Error): Promise<JWTVerifyGetKey> {
    const now = performance.now();
    if (
      this.#fetching === undefined &&
      now - this.#refetchedAt < this.#times.minRefetchIntervalMs
    ) {
      if (this.#failedAt > (this.#known?.at ?? -Infinity)) throw unavailable();
      throw notFound;
    }
    this.#refetchedAt = now;
    return this.#fetch();
  }

  /** At most one fetch at a time, and none shortly after a failed one. */
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
      this.#failure = messageOf(error);
      log.warn({ err: error, issuer }, "the token issuer's signing keys are unavailable");
      throw unavailable();
    }
  }
}

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = discoverySchema.parse(await fetchJson(url));
  if (found.issuer !== issuer) throw new Error(`${url} belongs to the issuer ${found.issuer}`);
  return found.jwks_uri;
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!response.ok) throw new Error(`${url} responds with status ${response.status}`);
  return response.json();
}

function unavailable(): Problem {
  return new Problem('keys-unavailable', "The token issuer's signing keys are unavailable.");
}
