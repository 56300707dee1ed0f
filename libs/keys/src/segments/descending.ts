/** Above every hexadecimal digit, so that of two texts the longer one, `ab`, comes before its beginning, `a`. */
const end = '~';

/** Turns the order of any segment around: its UTF-8 bytes, each complemented, in hexadecimal. */
export function descending(segment: string): string {
  const complement = Buffer.from(segment, 'utf8').map((byte) => 0xff - byte);
  return Buffer.from(complement).toString('hex') + end;
}
