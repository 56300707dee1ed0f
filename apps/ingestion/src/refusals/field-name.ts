import { Rejection } from './rejection.ts';

const maxNameBytes = 255;

/** @throws Rejection when a field without nested fields cannot have this name */
export function checkFieldName(name: string): void {
  checkName(name);
  checkNameLength(name);
}

export function checkNameLength(name: string): void {
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (name.length * 3 > maxNameBytes && Buffer.byteLength(name) > maxNameBytes) {
    throw new Rejection('bad_field', `a field's name has more than ${maxNameBytes} bytes`);
  }
}

export function checkName(name: string): void {
  if (name === '') throw new Rejection('bad_field', 'a field has an empty name');
  if (name === '__proto__') throw new Rejection('bad_field', 'a field is called __proto__');
  if (!name.isWellFormed()) {
    throw new Rejection('bad_field', 'a field has half of a surrogate pair in its name');
  }
}

/** A field's name as error messages quote it. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}
