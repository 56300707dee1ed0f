import type { Document } from './item-size.ts';

/** Keys and values by which people select what they belong to. */
export type Labels = Readonly<Record<string, string>>;

/** What people attach to a device, room or place; absent where there is nothing. */
export interface Annotations {
  labels?: Labels;
  /**
   * A JSON object as text. The names and the depth in it are its owner's: as attributes, the table
   * would refuse some.
   */
  metadata?: string;
}

/** Labels are in `data`, which the list index projects; metadata is not in that index (docs/adr/0047). */
export function annotationAttributes({ labels, metadata }: Annotations): Document {
  return {
    ...(labels !== undefined && { data: { labels: { ...labels } } }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** Those of an item, also of one as the list index has it. */
export function annotationsOf({ data, metadata }: Readonly<Record<string, unknown>>): Annotations {
  const { labels = {} } = (data ?? {}) as { labels?: Labels };
  // DynamoDB gives a map in any order, and the ETag of a representation must not depend on that.
  const sorted = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...(sorted.length > 0 && { labels: Object.fromEntries(sorted) }),
    ...(typeof metadata === 'string' && metadata !== '{}' && { metadata }),
  };
}
