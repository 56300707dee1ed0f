import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Problem } from '@engawa/errors';
import type { Logger } from 'pino';

export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Characters. A position is a key or two of the table, and a key is at most 3 KB. */
export const maxCursorLength = 12_000;

/** Authenticated encryption (NIST SP 800-38D): nobody without the key can read a position, or change it. */
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Turns a position in a list into an opaque text and back. The text is bound to the question that it belongs to, so that it
 * is of no use for another one, and encrypted: a position may name an item that the caller may not see (docs/adr/0041).
 */
export class CursorCodec {
  readonly #secret: string | Buffer;
  readonly #key: Buffer;

  /** Without a secret one is made up: cursors are then good for this process only. */
  constructor({ secret, log }: { secret: string | undefined; log: Logger }) {
    if (secret === undefined) {
      log.warn(
        'CURSOR_SECRET is not set: cursors are valid in this process only, and not after a restart',
      );
    }
    this.#secret = secret ?? randomBytes(32);
    this.#key = keyed(this.#secret, 'cursor');
  }

  encode(question: string, position: JsonValue): string {
    const payload = JSON.stringify(position);
    // The same position has the same cursor, so that equal answers are equal; a nonce never belongs to two texts.
    const nonce = keyed(this.#secret, JSON.stringify([question, payload])).subarray(0, nonceBytes);
    const encrypting = createCipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    encrypting.setAAD(Buffer.from(JSON.stringify(question)));
    const encrypted = [encrypting.update(payload), encrypting.final()];
    return Buffer.concat([nonce, encrypting.getAuthTag(), ...encrypted]).toString('base64url');
  }

  /** @throws Problem `invalid-cursor` for a text that `encode` did not give for this question. */
  decode(question: string, cursor: string): JsonValue {
    const bytes = Buffer.from(cursor.slice(0, maxCursorLength), 'base64url');
    // Several texts decode to the same bytes.
    const payload =
      bytes.toString('base64url') === cursor ? this.#open(question, bytes) : undefined;
    if (payload === undefined) {
      throw new Problem('invalid-cursor', 'The cursor was changed, or is of another question.', {
        fieldErrors: [
          { path: 'query.cursor', message: 'must be as it was given, for this question' },
        ],
      });
    }
    return JSON.parse(payload) as JsonValue;
  }

  /** Undefined for what `encode` did not give for this question. */
  #open(question: string, bytes: Buffer): string | undefined {
    const nonce = bytes.subarray(0, nonceBytes);
    const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
    if (tag.length !== tagBytes) return undefined;
    const decrypting = createDecipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    decrypting.setAAD(Buffer.from(JSON.stringify(question))).setAuthTag(tag);
    const text = decrypting.update(bytes.subarray(nonceBytes + tagBytes));
    try {
      return Buffer.concat([text, decrypting.final()]).toString();
    } catch {
      return undefined; // `final` throws where the tag does not fit
    }
  }
}

/** 32 bytes that follow from the secret and the purpose, and do not tell the secret. */
function keyed(secret: string | Buffer, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}

/** Parameters that are not part of the question: what is listed is the same. */
const pagingParameters: ReadonlySet<string> = new Set(['cursor', 'limit', 'resumable']);

/**
 * The text that a cursor is bound to: the route and all of its parameters but the page's own. Give
 * it checked parameters, in which equal questions look equal; one that depends on the time of
 * asking ("now") belongs in the position instead.
 */
export function cursorContext(operationId: string, parameters: Record<string, unknown>): string {
  const own = Object.entries(parameters)
    .filter(([name]) => !pagingParameters.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([operationId, own]);
}
