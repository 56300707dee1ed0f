import { createHmac, timingSafeEqual } from 'node:crypto';

/** The request header that carries a pass. */
export const peerHeader = 'engawa-peer';

/** Milliseconds by which the clocks of two processes may differ, plus the time that a request takes. */
const toleranceMs = 300_000;

/** The secret signs other things too: what is signed here begins with what it is for. */
const purpose = 'pass of a peer';

/** `<epoch milliseconds>.<HMAC-SHA-256 in hexadecimal digits>` */
const form = /^(\d{1,15})\.([0-9a-f]{64})$/;

/**
 * Shows to another process of this installation that a request comes from one of them: both have the same CURSOR_SECRET. It
 * opens only routes that have `admitsPeers`, for five minutes.
 */
export class PeerPass {
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
