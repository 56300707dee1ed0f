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
    throw new Rejection('field-name-too-long', { max: maxNameBytes });
  }
}

export function checkName(name: string): void {
  if (name === '') throw new Rejection('field-name-empty');
  if (name === '__proto__') throw new Rejection('field-name-reserved');
  if (!name.isWellFormed()) {
    throw new Rejection('field-name-half-pair');
  }
}

/** A field's name as error messages quote it. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}
