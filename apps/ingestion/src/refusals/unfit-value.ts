import type { RefusalCode, RefusalValues } from './refusal-texts.ts';

/** A value of a payload that cannot be stored, in its place among the fields: it alone is left out. */
export class UnfitValue {
  readonly code: RefusalCode;
  /** The parameters of the code's text, except the name of the field. */
  readonly values: RefusalValues;

  constructor(code: RefusalCode, values: RefusalValues = {}) {
    this.code = code;
    this.values = values;
  }
}
