import type { DeadLetterReason } from '@engawa/model';

/** A message, or one reading in it, that cannot be stored and becomes a dead letter. */
export class Rejection extends Error {
  readonly reason: DeadLetterReason;

  override get name(): string {
    return 'Rejection';
  }

  constructor(reason: DeadLetterReason, detail: string) {
    // One message may have thousands of refused readings, and a stack says nothing about them.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.reason = reason;
  }
}
