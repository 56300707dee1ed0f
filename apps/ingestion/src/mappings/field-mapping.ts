import { PayloadPath } from './payload-path.ts';
import { TextTemplate } from './text-template.ts';
import { valueRule } from './value-rule.ts';
import type { FieldRule } from './mapping-document.ts';
import type { Captured } from './topic-template.ts';
import type { ValueRule } from './value-rule.ts';

/** A part of a message that is a reading: the whole payload, or one of several values in it. */
export interface Element {
  value: unknown;
  /** Its name in the payload, if it is one of several. */
  key: string | undefined;
  payload: unknown;
  /** Of the topic. */
  levels: Captured;
}

/** A value of the payload that becomes a field. */
export interface MappedField {
  name: string;
  value: unknown;
}

/** Reads the values of one field rule; with a wildcard these are several fields. */
export class FieldMapping {
  readonly #from: PayloadPath;
  readonly #name: TextTemplate | undefined;
  readonly #value: ValueRule;

  /** @throws RangeError for a path or a template that is none */
  constructor(rule: FieldRule, levels: readonly string[]) {
    this.#from = new PayloadPath(rule.from);
    this.#name = rule.name === undefined ? undefined : new TextTemplate(rule.name, levels);
    this.#value = valueRule(rule);
    if (this.#name === undefined && this.#from.lastName === undefined)
      throw new RangeError(`the field from ${JSON.stringify(rule.from)} needs a name`);
  }

  /** @param taken gets the path of each value in the element */
  read({ value, key, payload, levels }: Element, taken: (readonly string[])[]): MappedField[] {
    return this.#from.find(this.#from.isAbsolute ? payload : value).flatMap((found) => {
      if (!this.#from.isAbsolute) taken.push(found.path);
      const result = this.#value(found.value);
      const named = { levels, key: found.key ?? key, beside: found.beside };
      const name = this.#name === undefined ? found.path.at(-1) : this.#name.fill(named);
      return result === undefined || name === undefined ? [] : [{ name, value: result }];
    });
  }
}
