import { Rejection } from './rejection.ts';
import type { RefusalCode } from './refusal-texts.ts';

export const maxNameBytes = 255;

/** @throws Rejection when a field without nested fields cannot have this name */
export function checkFieldName(name: string): void {
  const code = unfitName(name) ?? (isTooLong(name) ? 'field-name-too-long' : undefined);
  if (code === undefined) return;
  throw new Rejection(code, { field: quote(name), max: maxNameBytes });
}

/** Whether a whole name, with the names of the maps around the field, is too long. */
export function isTooLong(name: string): boolean {
  // A UTF-16 unit has at most three bytes in UTF-8.
  return name.length * 3 > maxNameBytes && Buffer.byteLength(name) > maxNameBytes;
}

/** Why no field or map of fields can have this name; undefined if it can. */
export function unfitName(name: string): RefusalCode | undefined {
  if (name === '') return 'field-name-empty';
  if (name === '__proto__') return 'field-name-reserved';
  return name.isWellFormed() ? undefined : 'field-name-half-pair';
}

/** A field's name as error messages quote it. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name).toWellFormed();
}
