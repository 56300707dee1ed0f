import { Decimal, UnfitNumber } from '@engawa/model';
import { isTooLong, maxNameBytes, quote, unfitName } from '../refusals/field-name.ts';
import { LeftOutValues } from '../refusals/left-out-values.ts';
import { UnfitValue } from '../refusals/unfit-value.ts';
import type { FieldValue } from '@engawa/model';
import type { RefusalCode, RefusalValues } from '../refusals/refusal-texts.ts';

const maxDepth = 32;

/** Never changed: shared, because each message has its own FlatFields. */
const noFields: Record<string, FieldValue> = Object.freeze({});

/** Where in a reading a map of fields is: the beginning of its names, and the number of maps around it. */
interface Place {
  prefix: string;
  depth: number;
}

/**
 * The fields of one draft after the other, without the values that cannot be stored. Nested fields get one name, their
 * parts joined by dots.
 */
export class FlatFields {
  readonly #maxTextBytes: number;
  #fields: Record<string, FieldValue> = noFields;
  #count = 0;
  #leftOut: LeftOutValues | undefined;
  /** Names that more than one value has. */
  #ambiguous: Set<string> | undefined;

  /** @param maxTextBytes maximum size of a text */
  constructor(maxTextBytes: number) {
    this.#maxTextBytes = maxTextBytes;
  }

  /** Number of fields. */
  get count(): number {
    return this.#count;
  }

  /** The values that cannot be stored; undefined if there are none. */
  get leftOut(): LeftOutValues | undefined {
    return this.#leftOut;
  }

  /** Forgets the draft before. */
  flatten(nested: object): Record<string, FieldValue> {
    this.#fields = {};
    this.#count = 0;
    this.#leftOut = undefined;
    this.#ambiguous = undefined;
    this.#addAll(nested, { prefix: '', depth: 0 });
    return this.#fields;
  }

  delete(name: string): void {
    if (!Object.hasOwn(this.#fields, name)) return;
    Reflect.deleteProperty(this.#fields, name);
    this.#count -= 1;
  }

  #addAll(map: object, { prefix, depth }: Place): void {
    if (depth >= maxDepth) {
      this.#leaveOut(prefix.slice(0, -1), 'fields-too-deep', { max: maxDepth });
      return;
    }
    const names = Object.keys(map);
    // An empty list or map has no value: null shows that the former values are gone. One whose values are all left out
    // is not empty.
    if (names.length === 0 && depth > 0) this.#add(prefix.slice(0, -1), null);
    for (const name of names) {
      const path = prefix + name;
      const unfit = unfitName(name);
      const value = (map as Readonly<Record<string, unknown>>)[name];
      if (unfit !== undefined) {
        this.#leaveOut(path, unfit);
      } else if (typeof value !== 'object' || value === null || value instanceof Decimal) {
        this.#add(path, value as FieldValue); // JSON has no other scalars
      } else if (value instanceof UnfitNumber) {
        this.#leaveOut(path, 'number-unfit', { message: value.reason });
      } else if (value instanceof UnfitValue) {
        this.#leaveOut(path, value.code, value.values);
      } else {
        this.#addAll(value, { prefix: `${path}.`, depth: depth + 1 });
      }
    }
  }

  #add(path: string, value: FieldValue): void {
    if (isTooLong(path)) {
      this.#leaveOut(path, 'field-name-too-long', { max: maxNameBytes });
    } else if (Object.hasOwn(this.#fields, path) || this.#ambiguous?.has(path) === true) {
      // Neither is stored: the meaning of the name would depend on the order of the fields.
      this.delete(path);
      this.#ambiguous ??= new Set();
      this.#ambiguous.add(path);
      this.#leaveOut(path, 'field-twice-flattened');
    } else if (typeof value !== 'string' || this.#isFit(path, value)) {
      this.#fields[path] = value;
      this.#count += 1;
    }
  }

  #isFit(path: string, text: string): boolean {
    if (!text.isWellFormed()) {
      this.#leaveOut(path, 'field-half-pair');
      return false;
    }
    const max = this.#maxTextBytes;
    // A UTF-16 unit has at most three bytes in UTF-8.
    const bytes = text.length * 3 > max ? Buffer.byteLength(text) : 0;
    if (bytes <= max) return true;
    this.#leaveOut(path, 'field-too-large', { bytes, max });
    return false;
  }

  #leaveOut(path: string, code: RefusalCode, values?: RefusalValues): void {
    this.#leftOut ??= new LeftOutValues();
    this.#leftOut.add(code, { field: quote(path), ...values });
  }
}
