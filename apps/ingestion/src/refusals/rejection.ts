import { reasonOfCode, refusalText } from './refusal-texts.ts';
import type { DeadLetterReason } from '@engawa/model';
import type { RefusalCode, RefusalValues } from './refusal-texts.ts';

/** A message, or one reading in it, that cannot be stored and becomes a dead letter. */
export class Rejection extends Error {
  readonly code: RefusalCode;
  readonly values: RefusalValues;

  override get name(): string {
    return 'Rejection';
  }

  get reason(): DeadLetterReason {
    return reasonOfCode(this.code);
  }

  constructor(code: RefusalCode, values: RefusalValues = {}) {
    // One message may have thousands of refused readings, and a stack says nothing about them.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(refusalText(code, values));
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.values = values;
  }
}
