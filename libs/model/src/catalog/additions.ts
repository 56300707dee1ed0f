import type { Document } from '../values/item-size.ts';

/**
 * Prefix of the item attributes that hold additions. Separate attributes, because an update of a map needs the map to
 * exist.
 */
export const additionField = 'add#';

/** The last addition of each process. */
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
