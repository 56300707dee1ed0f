import type { Decimal } from './decimal.ts';

/** What a device reported for one field: a scalar, numbers to the digit. */
export type FieldValue = number | Decimal | string | boolean | null;

/** By field name. A field may be called anything but `__proto__`. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** What one device reported for one moment. */
export interface Reading {
  /** Epoch milliseconds, UTC. */
  time: number;
  fields: Fields;
  /** Whether it was measured before it was sent, so that it says nothing of the device as it is now. Not stored. */
  isHistorical?: boolean;
}

/**
 * The content of a reading, spelled in one way only. Two readings of a device are the same reading if their
 * time and content are.
 */
export function contentOf({ fields }: Reading): string {
  const names = Object.keys(fields).sort();
  return JSON.stringify(names.map((name) => [name, fields[name]]));
}
