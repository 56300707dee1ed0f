import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Problem } from '@engawa/errors';
import type { Logger } from 'pino';

export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Characters. A position has one or two table keys of at most 3 KB each. */
export const maxCursorLength = 12_000;

/** Authenticated encryption (NIST SP 800-38D): a position can neither be read nor changed without the key. */
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encodes a position in a list as an opaque cursor and decodes it. A cursor is bound to its context
 * (route and parameters) and invalid in another one. It is encrypted because a position may name an
 * item that the caller may not see (docs/adr/0041).
 */
export class CursorCodec {
  readonly #secret: string | Buffer;
  readonly #key: Buffer;

  /** Without a secret a random one is used: cursors are then valid in this process only. */
  constructor({ secret, log }: { secret: string | undefined; log: Logger }) {
    if (secret === undefined) {
      log.warn(
        'CURSOR_SECRET is not set: cursors are valid in this process only, and not after a restart',
      );
    }
    this.#secret = secret ?? randomBytes(32);
    this.#key = keyed(this.#secret, 'cursor');
  }

  encode(context: string, position: JsonValue): string {
    const payload = JSON.stringify(position);
    // Equal positions have equal cursors, so that equal responses have equal ETags; no nonce is
    // used for two plaintexts.
    const nonce = keyed(this.#secret, JSON.stringify([context, payload])).subarray(0, nonceBytes);
    const encrypting = createCipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    encrypting.setAAD(Buffer.from(JSON.stringify(context)));
    const encrypted = [encrypting.update(payload), encrypting.final()];
    return Buffer.concat([nonce, encrypting.getAuthTag(), ...encrypted]).toString('base64url');
  }

  /** @throws Problem `invalid-cursor` for a text that `encode` did not return for this context */
  decode(context: string, cursor: string): JsonValue {
    const bytes = Buffer.from(cursor.slice(0, maxCursorLength), 'base64url');
    // Several base64url texts decode to the same bytes; only the canonical one is valid.
    const payload = bytes.toString('base64url') === cursor ? this.#open(context, bytes) : undefined;
    if (payload === undefined) {
      throw new Problem(
        'invalid-cursor',
        'The cursor was modified, or belongs to a request with other parameters.',
        {
          fieldErrors: [
            {
              path: 'query.cursor',
              message: 'must be an unmodified cursor of a request with the same parameters',
            },
          ],
        },
      );
    }
    return JSON.parse(payload) as JsonValue;
  }

  /** Decrypts; undefined for bytes that `encode` did not return for this context. */
  #open(context: string, bytes: Buffer): string | undefined {
    const nonce = bytes.subarray(0, nonceBytes);
    const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
    if (tag.length !== tagBytes) return undefined;
    const decrypting = createDecipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    decrypting.setAAD(Buffer.from(JSON.stringify(context))).setAuthTag(tag);
    const text = decrypting.update(bytes.subarray(nonceBytes + tagBytes));
    try {
      return Buffer.concat([text, decrypting.final()]).toString();
    } catch {
      return undefined; // `final` throws on a wrong authentication tag
    }
  }
}

/** Derives 32 bytes from the secret for one purpose; the secret cannot be computed from them. */
function keyed(secret: string | Buffer, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}

/** Parameters that select the page, not the items of the list. */
const pagingParameters: ReadonlySet<string> = new Set(['cursor', 'limit', 'resumable']);

/**
 * The context that a cursor is bound to: the route and its parameters, except those of paging. Pass
 * parsed parameters, of which equal ones serialize equally. A value that depends on the time of the
 * request ("now") belongs in the position instead.
 */
export function cursorContext(operationId: string, parameters: Record<string, unknown>): string {
  const own = Object.entries(parameters)
    .filter(([name]) => !pagingParameters.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([operationId, own]);
}
