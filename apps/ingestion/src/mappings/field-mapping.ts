import { inPart } from './document-part.ts';
import { PayloadPath } from './payload-path.ts';
import { TextTemplate } from './text-template.ts';
import { valueRule } from './value-rule.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldRule } from './mapping-document.ts';
import type { StepCount } from './mapping-limits.ts';
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
  count: StepCount;
}

/** Reads the values of one field rule; with a wildcard these are several fields. */
export class FieldMapping {
  readonly from: PayloadPath;
  readonly #name: TextTemplate | undefined;
  readonly #value: ValueRule;

  /** @throws InvalidPart for a path or a template that is none */
  constructor(rule: FieldRule, { levels, hasKey }: { levels: readonly string[]; hasKey: boolean }) {
    const { from, name } = rule;
    this.from = inPart(['from'], () => new PayloadPath(from));
    this.#value = valueRule(rule);
    if (name === undefined) {
      if (this.from.names.length > 0) return;
      throw new RangeError(`the field from ${JSON.stringify(from)} needs a name`);
    }
    this.#name = inPart(['name'], () => new TextTemplate(name, levels));
    if (this.#name.usesKey && !this.from.hasWildcard && !hasKey)
      throw new RangeError('{key} needs a * in from or in each');
  }

  read(element: Element, fields: FieldSet): void {
    const { value, key, payload, levels, count } = element;
    const origin = this.from.isAbsolute ? payload : value;
    if (!this.from.hasWildcard) {
      const found = this.from.at(origin);
      if (found === undefined) return;
      const name =
        this.#name === undefined
          ? this.from.lastName
          : this.#name.fill({ levels, key, beside: origin, count });
      this.#add(fields, name, found, count);
      return;
    }
    for (const { value: found, name, key: inner, beside } of this.from.find(origin, count)) {
      const filled = this.#name?.fill({ levels, key: inner, beside, count });
      this.#add(fields, this.#name === undefined ? name : filled, found, count);
    }
  }

  #add(fields: FieldSet, name: string | undefined, found: unknown, count: StepCount): void {
    const value = this.#value(found);
    if (value === undefined || name === undefined) return;
    count.addValue(value);
    fields.add(name, value);
  }
}
