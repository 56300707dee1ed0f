import { UnfitValue } from '../refusals/unfit-value.ts';

/** The fields of a reading. None of several values with the same name is stored: its meaning would be ambiguous. */
export class FieldSet {
  readonly fields: Record<string, unknown> = {};
  isEmpty = true;

  add(name: string, value: unknown): void {
    const isTaken = Object.hasOwn(this.fields, name);
    this.addUnique(name, isTaken ? new UnfitValue('field-twice') : value);
  }

  /** Adds a field whose name no other field has. */
  addUnique(name: string, value: unknown): void {
    this.isEmpty = false;
    // An assignment would set the prototype; the check of the reading refuses this name.
    if (name === '__proto__') define(this.fields, name, value);
    else this.fields[name] = value;
  }
}

function define(fields: object, name: string, value: unknown): void {
  Object.defineProperty(fields, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
