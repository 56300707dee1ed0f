import { refusalOf } from './refusal.ts';
import { Rejection } from './rejection.ts';
import type { LeftOut, LeftOutSummary } from './refusal.ts';
import type { RefusalCode, RefusalValues } from './refusal-texts.ts';

/** Maximum number of values of a reading that are named, with their reasons. */
const maxNamed = 10;

/** Collects the values of a reading that cannot be stored. */
export class LeftOutValues implements LeftOutSummary {
  readonly #named: LeftOut[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get named(): readonly LeftOut[] {
    return this.#named;
  }

  /** The refusal of the whole reading, because of the first value. */
  get rejection(): Rejection {
    const [first] = this.#named;
    if (first === undefined) return new Rejection('reading-without-field');
    return new Rejection(first.detailCode.code, first.detailCode.values);
  }

  /** @param values with the name of the field */
  add(code: RefusalCode, values: RefusalValues & { field: string }): void {
    this.#count += 1;
    if (this.#named.length >= maxNamed) return;
    this.#named.push({ field: values.field, ...refusalOf(code, values) });
  }
}
