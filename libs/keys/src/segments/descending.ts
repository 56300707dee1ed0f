import { KeyError } from '../key-error.ts';

/** Above every hexadecimal digit, so that of two texts the longer one, `ab`, comes before its beginning, `a`. */
const end = '~';
const pattern = /^(?:[0-9a-f]{2})*~$/;

/** Turns the order of any segment around: its UTF-8 bytes, each complemented, in hexadecimal. */
export function descending(segment: string): string {
  return complement(Buffer.from(segment, 'utf8')).toString('hex') + end;
}

export function parseDescending(field: string, text: string): string {
  if (!pattern.test(text)) throw new KeyError(field, 'is not a descending segment');
  return complement(Buffer.from(text.slice(0, -end.length), 'hex')).toString('utf8');
}

function complement(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => 0xff - byte));
}
