import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@engawa/errors';
import type { Logger } from 'pino';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Characters. A position is a key or two of the table, and a key is at most 3 KB. */
export const longestCursor = 12_000;

/** Bytes: a forger's chance of 2^-128, at half the length of the whole HMAC. */
const signatureBytes = 16;

/**
 * Turns a position in a list into an opaque text and back. The text is signed together with the
 * question that it belongs to, so that it is of no use for another one.
 */
export class CursorCodec {
  readonly #secret: string | Buffer;

  /** Without a secret one is made up: cursors are then good for this process only. */
  constructor({ secret, log }: { secret: string | undefined; log: Logger }) {
    if (secret === undefined) {
      log.warn('CURSOR_SECRET is not set: cursors end with this process and work on no other');
    }
    this.#secret = secret ?? randomBytes(32);
  }

  encode(question: string, position: Json): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#sign(question, payload), payload]).toString('base64url');
  }

  /** @throws Problem `invalid-cursor` for a text that `encode` did not give for this question. */
  decode(question: string, cursor: string): Json {
    const bytes = Buffer.from(cursor.slice(0, longestCursor), 'base64url');
    const payload = bytes.subarray(signatureBytes);
    const signature = bytes.subarray(0, signatureBytes);
    if (
      bytes.toString('base64url') !== cursor || // several texts decode to the same bytes
      signature.length !== signatureBytes ||
      !timingSafeEqual(signature, this.#sign(question, payload))
    ) {
      throw new Problem('invalid-cursor', 'The cursor was changed, or is of another question.', {
        faults: [{ path: 'query.cursor', message: 'must be as it was given, for this question' }],
      });
    }
    return JSON.parse(payload.toString()) as Json;
  }

  #sign(question: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify(question)) // ends at its own closing quote, so payload cannot shift into it
      .update(payload)
      .digest()
      .subarray(0, signatureBytes);
  }
}

/**
 * The text that a cursor is bound to: the route and all of its parameters but the page's own. Give
 * it checked parameters, in which equal questions look equal; one that depends on the time of
 * asking ("now") belongs in the position instead.
 */
export function questionOf(operationId: string, parameters: Record<string, unknown>): string {
  const own = Object.entries(parameters)
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([operationId, own]);
}
