import type { Document } from '../values/item-size.ts';

/** Key-value pairs by which clients select devices, rooms and places. */
export type Labels = Readonly<Record<string, string>>;

/** Annotations of a device, room or place; absent where there are none. */
export interface Annotations {
  labels?: Labels;
  /** A JSON object as text: the table would reject some names and depths if they were attributes. */
  metadata?: string;
}

/** Labels are in `data`, which the list index projects; metadata is not in that index (docs/adr/0047). */
export function annotationAttributes({ labels, metadata }: Annotations): Document {
  return {
    ...(labels !== undefined && { data: { labels: { ...labels } } }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** The annotations of an item, also of an item from the list index. */
export function annotationsOf({ data, metadata }: Readonly<Record<string, unknown>>): Annotations {
  const { labels = {} } = (data ?? {}) as { labels?: Labels };
  // DynamoDB returns a map in any order, and the ETag of a representation must not depend on the order.
  const sorted = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...(sorted.length > 0 && { labels: Object.fromEntries(sorted) }),
    ...(typeof metadata === 'string' && metadata !== '{}' && { metadata }),
  };
}
