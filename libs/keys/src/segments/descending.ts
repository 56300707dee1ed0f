/** Sorted after every hexadecimal digit, so that the longer text `ab` comes before its prefix `a`. */
const end = '~';

/** A segment that sorts in reverse order: the complement of each UTF-8 byte, in hexadecimal. */
export function descending(segment: string): string {
  const complement = Buffer.from(segment, 'utf8').map((byte) => 0xff - byte);
  return Buffer.from(complement).toString('hex') + end;
}
