import type { Document } from '@engawa/model';

/** A condition of a write did not hold: somebody else was there first. Nothing was written. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  /** The item as it is, where there is one. */
  readonly item: Document | undefined;

  constructor(more: { item?: Document | undefined; cause?: unknown } = {}) {
    super('the condition of the write does not hold', { cause: more.cause });
    this.item = more.item;
  }
}

export type RefusalReason = 'too_large' | 'invalid';

/** The table will never take this item as it is: trying again cannot help. */
export class ItemRefused extends Error {
  override readonly name = 'ItemRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The writer was closed before the item was known to be durable; it may or may not be stored. */
export class WriterClosed extends Error {
  override readonly name = 'WriterClosed';

  constructor() {
    super('the writer was closed before the item was stored');
  }
}
