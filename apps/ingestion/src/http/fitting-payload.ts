import { invariant } from '@engawa/errors';

/** Bytes of JSON for a byte of a payload in base64. */
const base64Bytes = 4 / 3;

/** Bytes of JSON for each byte of UTF-8 in a text: control characters are escaped. */
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return byte < 0x80 ? JSON.stringify(character).length - 2 : 1;
});

/** The maximum length of a range of a payload whose text and base64 have at most `maxBytes` of JSON. */
export function maxRangeBytes(maxBytes: number): number {
  return Math.floor(maxBytes / (1 + base64Bytes));
}

/** The first bytes of a payload whose text and base64 have at most `maxBytes` of JSON; at least one byte. */
export function fittingPayload(payload: Buffer, maxBytes: number): Buffer {
  let bytes = 0;
  // A loop over entries() takes five times as long.
  for (let index = 0; index < payload.length; index++) {
    bytes += base64Bytes + (textBytes[payload[index] ?? 0] ?? 0);
    if (bytes > maxBytes) return payload.subarray(0, Math.max(1, index));
  }
  return payload;
}

/** Without the beginning of a character of UTF-8 at the end, so that a range of a text is a text. */
export function wholeCharacters(payload: Buffer): Buffer {
  const last = payload.subarray(-3).findLastIndex((byte) => byte >= 0xc0);
  if (last === -1) return payload;
  const start = Math.max(0, payload.length - 3) + last;
  const isWhole =
    start + lengthOf(invariant(payload[start], 'the last character begins in the payload')) <=
    payload.length;
  return isWhole || start === 0 ? payload : payload.subarray(0, start);
}

/** The length of a character, by its first byte (RFC 3629, section 3). */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
