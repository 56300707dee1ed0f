import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { messageOf } from '@engawa/service';
import { z } from 'zod';

/** Members that the console uses (OpenID Connect Discovery 1.0, section 3; RFC 8414). */
const metadata = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  /** OpenID Connect RP-Initiated Logout 1.0, section 2.1. */
  end_session_endpoint: z.url().optional(),
});

export type IssuerMetadata = z.output<typeof metadata>;

const timeoutMs = 5000;
const retryMs = 5000;
/** Characters: an invalid document has a line per member. */
const maxFailureLength = 300;
/** Milliseconds for which the metadata is reused; issuers change it rarely. */
const maxAgeMs = 600_000;

/** The endpoints of the token issuer, from its discovery document. */
export class Issuer {
  readonly #url: string;
  readonly #now: () => number;
  #loaded: { at: number; metadata: IssuerMetadata } | undefined;
  #failure = 'they have not been fetched yet';

  /** @param now monotonic milliseconds */
  constructor(url: string, now: () => number) {
    this.#url = url.replace(/\/+$/, '');
    this.#now = now;
  }

  /** Why nobody can sign in, for operators; undefined once the endpoints have been fetched. */
  get unavailableReason(): string | undefined {
    if (this.#loaded !== undefined) return undefined;
    return `the endpoints of ${this.#url} are unavailable: ${this.#failure}`;
  }

  /** Fetches the endpoints before a page needs them, again and again until the issuer has them. */
  async fetchUntilKnown(signal: AbortSignal): Promise<void> {
    const pause = { signal, ref: false };
    while (!signal.aborted) {
      const endpoints = await this.metadata().catch(() => undefined);
      if (endpoints !== undefined) return;
      await sleep(retryMs, undefined, pause).catch(() => undefined);
    }
  }

  /** @throws Problem `issuer-unavailable` where the issuer does not answer */
  async metadata(): Promise<IssuerMetadata> {
    if (this.#loaded !== undefined && this.#now() - this.#loaded.at < maxAgeMs) {
      return this.#loaded.metadata;
    }
    try {
      const url = `${this.#url}/.well-known/openid-configuration`;
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const loaded = metadata.parse(await response.json());
      this.#loaded = { at: this.#now(), metadata: loaded };
      return loaded;
    } catch (error) {
      this.#failure = messageOf(error).slice(0, maxFailureLength);
      const detail = 'The token issuer does not answer with its endpoints.';
      throw new Problem('issuer-unavailable', detail, { cause: error });
    }
  }

  /**
   * Sends a form to the token endpoint (RFC 6749, section 4.1.3).
   * @returns its status and JSON text
   * @throws Problem `issuer-unavailable`
   */
  async token(form: Readonly<Record<string, string>>): Promise<{ status: number; text: string }> {
    const { token_endpoint: url } = await this.metadata();
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      const detail = 'The token issuer does not answer at its token endpoint.';
      throw new Problem('issuer-unavailable', detail, { cause: error });
    }
  }
}
