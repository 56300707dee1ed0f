import { createHmac, timingSafeEqual } from 'node:crypto';

/** The request header with a token. */
export const peerHeader = 'engawa-peer';

/** Maximum clock difference of two processes, plus the duration of a request. */
const toleranceMs = 300_000;

/** Part of the signed text, since the secret also signs other things. All releases must use the same text. */
const purpose = 'pass of a peer';

/** `<epoch milliseconds>.<HMAC-SHA-256 in hexadecimal digits>` */
const form = /^(\d{1,15})\.([0-9a-f]{64})$/;

/**
 * Tokens by which processes of one installation authenticate to each other: all have the same
 * CURSOR_SECRET. A token is valid for five minutes, and only in routes with `allowsPeers`.
 */
export class PeerTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @param now epoch milliseconds */
  issue(now = Date.now()): string {
    return `${now}.${this.#signatureOf(now).toString('hex')}`;
  }

  /** @param now epoch milliseconds */
  isValid(text: string | undefined, now = Date.now()): boolean {
    const [, time, signature] = form.exec(text ?? '') ?? [];
    if (time === undefined || signature === undefined) return false;
    const issuedAt = Number(time);
    const isGenuine = timingSafeEqual(Buffer.from(signature, 'hex'), this.#signatureOf(issuedAt));
    return isGenuine && Math.abs(now - issuedAt) <= toleranceMs;
  }

  #signatureOf(issuedAt: number): Buffer {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([purpose, issuedAt]))
      .digest();
  }
}
