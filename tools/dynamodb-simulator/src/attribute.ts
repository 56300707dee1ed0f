/** A value as DynamoDB's JSON writes it: one property that names its type. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, AttributeValue>>;

/** Bytes that DynamoDB adds for each list or map, and for each element. */
const documentOverhead = 3;
const elementOverhead = 1;

/**
 * Bytes of an item as DynamoDB counts them: names and values, UTF-8; numbers about a byte for two digits
 * (developer guide, "DynamoDB item sizes and formats").
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: AttributeValue): number {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(content));
    case 'N':
      return numberBytes(String(content));
    case 'B':
      return Buffer.byteLength(String(content), 'base64');
    case 'SS':
    case 'NS':
    case 'BS':
      return (content as string[]).reduce(
        (sum, member) => sum + valueBytes({ [type.slice(0, 1)]: member }),
        0,
      );
    case 'L':
      return (content as AttributeValue[]).reduce(
        (sum, element) => sum + elementOverhead + valueBytes(element),
        documentOverhead,
      );
    case 'M':
      return (
        documentOverhead +
        itemBytes(content as Item) +
        elementOverhead * Object.keys(content as Item).length
      );
    default:
      return 1; // BOOL, NULL
  }
}

/** Leading and trailing zeros do not count; a sign is one byte. */
function numberBytes(literal: string): number {
  const digits = literal
    .replace(/e.*$/i, '')
    .replace(/[^\d]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (literal.startsWith('-') ? 1 : 0);
}

/** The value of a key attribute as text, to tell partitions apart. */
export function keyText(value: AttributeValue | undefined): string {
  const [content] = Object.values(value ?? {});
  return typeof content === 'string' ? content : '';
}

/** Orders values of a sort key as DynamoDB does: numbers by size, text and bytes by their bytes. */
export function compareKeys(left: AttributeValue, right: AttributeValue): number {
  if ('N' in left) return Number(left['N']) - Number(right['N']);
  return bytesOf(left).compare(bytesOf(right));
}

export function beginsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  const beginning = bytesOf(prefix);
  return bytesOf(value).subarray(0, beginning.length).equals(beginning);
}

function bytesOf(value: AttributeValue): Buffer {
  return Buffer.from(keyText(value), 'B' in value ? 'base64' : 'utf8');
}

/** Whether two values, or two items, are equal. The order of properties is ignored. */
export function isEqual(left: unknown, right: unknown): boolean {
  return left === right || canonical(left) === canonical(right);
}

/** JSON with sorted properties: equal for equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
