import { sortNames } from '../values/sort-names.ts';
import type { Decimal } from '../values/decimal.ts';

/** Value of one field as reported by a device: a scalar, with exact numbers. */
export type FieldValue = number | Decimal | string | boolean | null;

/** By field name. Every name is allowed except `__proto__`. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** Values reported by one device for one moment. */
export interface Reading {
  /** Epoch milliseconds, UTC. */
  time: number;
  fields: Fields;
  /**
   * Whether the reading was measured before it was sent, so that it does not describe the current state. Not stored.
   */
  isHistorical?: boolean;
  /**
   * Tells the reading from others of its device and time where the content does not: a reading without a time of its
   * own, or an event. Unique for the device and the time.
   */
  delivery?: string;
  /** Of a stored reading: the name of its block. Readings of one time are in the order of their blocks' names. */
  order?: string;
  /** Of a stored reading that is ahead of its receipt: when its block was received, in epoch milliseconds. */
  receivedAt?: number;
}

/**
 * What identifies a reading of a device among those of its time: its delivery, or else its content. The first never
 * begins with a bracket.
 */
export function identityOf(reading: Reading): string {
  return reading.delivery ?? contentOf(reading);
}

/** The canonical text of a reading's content. */
export function contentOf({ fields }: Reading): string {
  let content = '[';
  for (const name of sortNames(Object.keys(fields))) {
    const value = fields[name];
    // As JSON.stringify writes it, which is slower.
    const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
    content += `${content.length === 1 ? '' : ','}[${quoted(name)},${text}]`;
  }
  return `${content}]`;
}

/** Names as JSON. Devices share few names; beyond this number they are quoted again. */
const quotedNames = new Map<string, string>();
const maxQuotedNames = 1000;

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size < maxQuotedNames && name.length <= 64) quotedNames.set(name, text);
  return text;
}
