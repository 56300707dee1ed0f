/** A value in DynamoDB's JSON: one property that names its type; bytes are base64, numbers are text. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly L?: readonly AttributeValue[];
  readonly M?: Item;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
}

export type Item = Readonly<Record<string, AttributeValue>>;
export type AttributeType = keyof AttributeValue;
/** Types that a key attribute may have. */
export type KeyType = 'S' | 'N' | 'B';

export const attributeTypes: readonly AttributeType[] = [
  'S',
  'N',
  'B',
  'SS',
  'NS',
  'BS',
  'L',
  'M',
  'BOOL',
  'NULL',
];

/** Returns the type of a valid value. */
export function typeOf(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType;
  throw new TypeError('a value without a type');
}

export function attributeOf(item: Item | undefined, name: string): AttributeValue | undefined {
  return item !== undefined && Object.hasOwn(item, name) ? item[name] : undefined;
}
