import { parseNumber, valueSize } from '@engawa/model';

/** A value in the JSON of DynamoDB's API: one property, named for the type. Bytes are base64, numbers are texts. */
export type RawValue = Readonly<Record<string, unknown>>;

/** An item as DynamoDB returns it, with every type of attribute. */
export type RawItem = Readonly<Record<string, RawValue>>;

/** Size in bytes by DynamoDB's count, as `itemSize`, and of sets as well, which no item of this table has. */
export function rawItemSize(item: RawItem): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + textSize(name) + rawValueSize(value),
    0,
  );
}

/** Overhead in bytes of a list or map, and of each of its elements (developer guide, "Item sizes and formats"). */
const containerOverhead = 3;
const elementOverhead = 1;

function rawValueSize(value: RawValue): number {
  const [type = '', content] = Object.entries(value)[0] ?? [];
  switch (type) {
    case 'S':
      return textSize(content as string);
    case 'N':
      return valueSize(parseNumber(content as string));
    case 'B':
      return Buffer.byteLength(content as string, 'base64');
    case 'SS':
    case 'NS':
    case 'BS':
      return setSize(type.slice(0, 1), content as string[]);
    case 'L':
      return containerOverhead + (content as RawValue[]).reduce(addElement, 0);
    case 'M':
      return Object.entries(content as RawItem).reduce(
        (sum, [name, one]) => addElement(sum + textSize(name), one),
        containerOverhead,
      );
    default:
      return 1; // NULL and BOOL
  }
}

function addElement(sum: number, value: RawValue): number {
  return sum + elementOverhead + rawValueSize(value);
}

function setSize(type: string, members: readonly string[]): number {
  return members.reduce((sum, member) => sum + rawValueSize({ [type]: member }), 0);
}

function textSize(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
