import { rollupKey } from '@engawa/keys';
import type { Document } from './item-size.ts';

/**
 * Maximum bytes of the fields in one item. DynamoDB's limit is 400 KB; the rest is for keys, versions, and the names of
 * fields without numbers.
 */
export const maxTextBytes = 300_000;

/** Items per bucket, at most: they fit into one transaction of 4 MB. */
export const maxParts = 12;

/** Key width of a part: a Query for the rollups of a width does not read the parts. @param part from 1 on */
export function partWidth(width: string, part: number): string {
  return `${width}-${part}`;
}

/** The beginning of `partWidth`. */
export function partPrefix(width: string): string {
  return `${width}-`;
}

/** A field and its JSON value. */
export type FieldRow = readonly [name: string, value: unknown];

/** The fields as JSON objects of at most `maxTextBytes`, in order; at least one. */
export function fieldTexts(fields: Iterable<FieldRow>): string[] {
  const texts: string[] = [];
  let rows: string[] = [];
  let bytes = 0;
  const end = () => {
    texts.push(`{${rows.join()}}`);
    [rows, bytes] = [[], 0];
  };
  for (const [name, value] of fields) {
    const row = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const more = Buffer.byteLength(row) + 1;
    if (rows.length > 0 && bytes + more > maxTextBytes) end();
    rows.push(row);
    bytes += more;
  }
  end();
  return texts;
}

/**
 * The items of a bucket: one with the text, or, for several texts, one with their number and one for each. The first
 * item of several has no `values`, so version 0.2 takes it as an invalid rollup instead of a part as the whole.
 * @param common in each item: what tells that parts belong together
 */
export function partedItems(
  device: string,
  { width, start }: { width: string; start: number },
  texts: readonly string[],
  common: Document,
): [first: Document, ...parts: Document[]] {
  const first = rollupKey(device, width, start);
  const [text] = texts;
  if (texts.length === 1 && text !== undefined) return [{ ...first, ...common, values: text }];
  const parts = texts.map((values, index) => ({
    ...rollupKey(device, partWidth(width, index + 1), start),
    ...common,
    values,
  }));
  return [{ ...first, ...common, parts: texts.length }, ...parts];
}

/** Number of other items that have the texts of this one; 0 where it has its text itself, or none. */
export function partsOf({ parts }: Document): number {
  return parts === undefined ? 0 : Number(parts);
}

/**
 * The texts of an item, from itself or from its parts; undefined where it has none, or where a part is missing or
 * belongs to another item.
 * @param parts of the bucket, in order
 * @param common names of the attributes that are equal in all items of a bucket
 */
export function textsOf(
  item: Document,
  parts: readonly (Document | undefined)[],
  common: readonly string[],
): string[] | undefined {
  const count = partsOf(item);
  const items = count === 0 ? [item] : Array.from({ length: count }, (_, index) => parts[index]);
  const texts = items.flatMap((part) => {
    const isSame = common.every((name) => part?.[name] === item[name]);
    return isSame && typeof part?.['values'] === 'string' ? [part['values']] : [];
  });
  return texts.length === items.length ? texts : undefined;
}
