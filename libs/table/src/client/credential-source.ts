import { setTimeout as delay } from 'node:timers/promises';
import type { SigningCredentials } from './request-signer.ts';

/** Credentials that may expire, as the SDK's providers return them. */
export interface AwsCredentials extends SigningCredentials {
  expiration?: Date | undefined;
}

/** Loads credentials without any cache. */
export type LoadCredentials = () => Promise<AwsCredentials>;

const defaultTimes = {
  /** Timeout of one load. */
  maxLoadMs: 10_000,
  /** Between two loads: rejected credentials are often those that the source still has. */
  minIntervalMs: 5000,
};

/** Credentials that expire are loaded again this long before; the SDK has the same duration. */
const earlyMs = 300_000;

/**
 * The credentials of all clients. They are loaded again before they expire, and once DynamoDB rejects them: a key was
 * rotated, or they have expired although the clock of this machine says otherwise. At most one load in five seconds;
 * credentials whose renewal fails stay in use. (The SDK loads credentials again only at their expiration by the local
 * clock, and keys of a file never.)
 */
export class CredentialSource {
  readonly #times: typeof defaultTimes;
  #load: LoadCredentials = () => Promise.reject(noCredentials('no provider'));
  #current: AwsCredentials | undefined;
  #loading: Promise<AwsCredentials> | undefined;
  #isRejected = false;
  #loadAt = -Infinity;

  /** A provider for the SDK, which must not add a cache of its own. */
  readonly provide = Object.assign(() => this.#provide(), { memoized: true });

  constructor(times = defaultTimes) {
    this.#times = times;
  }

  use(load: LoadCredentials): void {
    this.#load = load;
  }

  /** To be called when DynamoDB rejects a request for its credentials. */
  rejected(): void {
    this.#isRejected = true;
  }

  async #provide(): Promise<AwsCredentials> {
    const current = this.#current;
    if (current !== undefined && !this.#isDue(current)) return current;
    this.#loading ??= this.#loadOnce();
    if (current !== undefined && this.#isUsable(current)) {
      this.#loading.catch(ignore);
      return current;
    }
    try {
      return await this.#loading;
    } catch (error) {
      if (current === undefined) throw error;
      return current;
    }
  }

  #isDue({ expiration }: AwsCredentials): boolean {
    if (performance.now() < this.#loadAt) return false;
    return this.#isRejected || (expiration?.getTime() ?? Infinity) < Date.now() + earlyMs;
  }

  #isUsable({ expiration }: AwsCredentials): boolean {
    return !this.#isRejected && (expiration?.getTime() ?? Infinity) > Date.now();
  }

  async #loadOnce(): Promise<AwsCredentials> {
    const timer = new AbortController();
    const timeout = delay(this.#times.maxLoadMs, undefined, { signal: timer.signal, ref: false });
    try {
      const expired = timeout.then(() => Promise.reject(noCredentials('no response in time')));
      this.#current = await Promise.race([this.#load(), expired]);
      this.#isRejected = false;
      return this.#current;
    } finally {
      timer.abort();
      this.#loading = undefined;
      this.#loadAt = performance.now() + this.#times.minIntervalMs;
    }
  }
}

function ignore(): void {
  // The credentials in use are still valid, and the next load may succeed.
}

function noCredentials(detail: string): Error {
  const error = new Error(`AWS credentials cannot be loaded: ${detail}`);
  return Object.assign(error, { name: 'CredentialsProviderError' });
}
