import type { Document } from '@engawa/model';

/** The condition of a write failed, so nothing was written: usually a concurrent write was first. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  /** The existing item, if any. */
  readonly item: Document | undefined;
  /** The existing items of the writes with a failed condition, by the write's position in the transaction, from 0. */
  readonly items: ReadonlyMap<number, Document>;
  /** Positions of the writes with a failed condition, from 0; `[0]` for a single write. */
  readonly failed: readonly number[];

  constructor(
    options: {
      items?: ReadonlyMap<number, Document>;
      failed?: readonly number[] | undefined;
      cause?: unknown;
    } = {},
  ) {
    super('the condition of the write does not hold', { cause: options.cause });
    this.items = options.items ?? new Map();
    [this.item] = this.items.values();
    this.failed = options.failed ?? [0];
  }
}

export type RejectionReason = 'too_large' | 'invalid';

/** DynamoDB can never store this item: a retry cannot succeed. */
export class ItemRejected extends Error {
  override readonly name = 'ItemRejected';
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string, cause?: unknown) {
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

/**
 * DynamoDB throttles the item's partition key, and the call does not wait. The writer does not send
 * the item again; an earlier attempt may have stored it. Other keys need not be throttled.
 */
export class KeyThrottled extends Error {
  override readonly name = 'KeyThrottled';
  readonly pk: string;

  constructor(pk: string) {
    super("DynamoDB throttles the item's partition key");
    this.pk = pk;
  }
}
