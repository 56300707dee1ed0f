import type { DeadLetterReason } from '@engawa/model';

/** A message, or one reading in it, that cannot be stored and becomes a dead letter. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly reason: DeadLetterReason;

  constructor(reason: DeadLetterReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
