import type { Document } from './item-size.ts';

/**
 * What the names of an item's attributes with additions begin with: not one map, which an update
 * would have to find there.
 */
export const additionField = 'add#';

/** By process, its last addition. */
export type AdditionMarks = ReadonlyMap<string, string>;

export function additionFields(marks: AdditionMarks | undefined): Record<string, string> {
  return Object.fromEntries([...(marks ?? [])].map(([by, id]) => [additionField + by, id]));
}

export function additionsOf(item: Document): AdditionMarks | undefined {
  const marks = Object.entries(item).flatMap(([name, id]) =>
    name.startsWith(additionField) && typeof id === 'string'
      ? [[name.slice(additionField.length), id] as const]
      : [],
  );
  return marks.length === 0 ? undefined : new Map(marks);
}
