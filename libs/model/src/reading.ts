import { sortNames } from './sort-names.ts';
import type { Decimal } from './decimal.ts';

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
}

/**
 * The canonical text of a reading's content. Two readings of a device are equal if their times and contents are equal.
 */
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
