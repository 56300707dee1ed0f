/**
 * Compares as DynamoDB orders strings: by UTF-8 bytes, which is the order of code points. An order of its own, since a
 * test with the order of the tested code would not find its defects.
 * @returns negative, 0 or positive, for well-formed strings
 */
export function compareText(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  let index = 0;
  while (index < shared && left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return (left.codePointAt(index) ?? -1) - (right.codePointAt(index) ?? -1);
}
