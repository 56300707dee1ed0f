import type { Document } from '@engawa/model';

/** A condition of a write did not hold: somebody else was there first. Nothing was written. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  /** The item as it is, where there is one. */
  readonly item: Document | undefined;
  /** Of a transaction, the item of each write whose condition did not hold, by the number of the write. */
  readonly items: ReadonlyMap<number, Document>;
  /** Of a transaction, the writes whose condition did not hold, counted from 0; of a single write, it. */
  readonly failed: readonly number[];

  constructor(
    more: {
      items?: ReadonlyMap<number, Document>;
      failed?: readonly number[] | undefined;
      cause?: unknown;
    } = {},
  ) {
    super('the condition of the write does not hold', { cause: more.cause });
    this.items = more.items ?? new Map();
    [this.item] = this.items.values();
    this.failed = more.failed ?? [0];
  }
}

export type RejectionReason = 'too_large' | 'invalid';

/** The table will never take this item as it is: trying again cannot help. */
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
 * DynamoDB throttles the item's partition key, and the call did not want to wait. The writer does not send the item again;
 * an attempt before may have stored it. Another key may well be free.
 */
export class KeyThrottled extends Error {
  override readonly name = 'KeyThrottled';
  readonly pk: string;

  constructor(pk: string) {
    super("DynamoDB throttles the item's partition key");
    this.pk = pk;
  }
}
