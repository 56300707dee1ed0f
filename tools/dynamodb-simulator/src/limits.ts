import { z } from 'zod';
import { TokenBucket } from './token-bucket.ts';
import type { Charge } from './charge.ts';
import type { ThrottlingException } from './exceptions.ts';

const rates = z.strictObject({
  read: z.number().positive().optional(),
  write: z.number().positive().optional(),
});
const byTarget = z.record(z.string(), rates);

/** Units a second; what is not given is not limited, except for partitions. */
export const limitsSchema = z.strictObject({
  /** Of each partition key, of the table and of each index (DynamoDB's own: 3,000 and 1,000). */
  partition: rates.prefault({ read: 3000, write: 1000 }),
  /** Seconds of unused capacity that are saved up (DynamoDB's own: 300). */
  burstSeconds: z.number().positive().default(300),
  /** Which exception a hot partition gets: the two modes of DynamoDB spell it differently. */
  billing: z.enum(['provisioned', 'onDemand']).default('onDemand'),
  /** By `table` or an index's name. */
  provisioned: byTarget.default({}),
  onDemandMaximum: byTarget.default({}),
  account: byTarget.default({}),
});
export type Limits = z.output<typeof limitsSchema>;
export type LimitsInput = z.input<typeof limitsSchema>;

export const limitTypes = [
  'ProvisionedThroughputExceeded',
  'AccountLimitExceeded',
  'KeyRangeThroughputExceeded',
  'MaxOnDemandThroughputExceeded',
] as const;
export type LimitType = (typeof limitTypes)[number];

/** Why something is throttled: one of DynamoDB's sixteen reasons, and the ARN of what is. */
export interface Throttle {
  reason: string;
  type: LimitType;
  resource: string;
  /** What would have been too much. */
  charge: Charge;
  /** Where it is not to be told from the billing mode. */
  exception?: ThrottlingException | undefined;
}

interface Gate {
  type: LimitType;
  bucket: TokenBucket;
}

/** Buckets are looked through for full ones, which say nothing, when there are twice as many as last time. */
const firstSweep = 10_000;

/** Lets through what the limits allow, by token buckets. */
export class Limiter {
  readonly #limits: Limits;
  readonly #buckets = new Map<string, TokenBucket>();
  #sweepAt = firstSweep;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes the charges if all of them may pass, and otherwise none. @returns why they may not */
  admit(charges: readonly Charge[], now: number): Throttle | undefined {
    for (const charge of charges) {
      for (const { type, bucket } of this.#gatesOf(charge, now)) {
        if (!bucket.has(charge.units, now)) return throttleOf(charge, type);
      }
    }
    this.take(charges, now);
    return undefined;
  }

  /** Takes what turned out to be used, whether or not there was as much. */
  take(charges: readonly Charge[], now: number): void {
    for (const charge of charges) {
      for (const { bucket } of this.#gatesOf(charge, now)) bucket.take(charge.units, now);
    }
  }

  #gatesOf(charge: Charge, now: number): Gate[] {
    const { partition, provisioned, onDemandMaximum, account } = this.#limits;
    const { target, unit, key } = charge;
    const rated = [
      ['ProvisionedThroughputExceeded', provisioned[target]?.[unit]],
      ['MaxOnDemandThroughputExceeded', onDemandMaximum[target]?.[unit]],
      ['AccountLimitExceeded', account[target]?.[unit]],
      ['KeyRangeThroughputExceeded', key === undefined ? undefined : partition[unit]],
    ] as const;
    return rated.flatMap(([type, rate]) =>
      rate === undefined ? [] : [{ type, bucket: this.#bucket(charge, type, rate, now) }],
    );
  }

  #bucket(charge: Charge, type: LimitType, rate: number, now: number): TokenBucket {
    const { table, target, unit, key } = charge;
    const own = type === 'KeyRangeThroughputExceeded' ? key : '';
    const name = `${type}\n${table}\n${target}\n${unit}\n${own}`;
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
      bucket = new TokenBucket(rate, this.#limits.burstSeconds, now);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  #sweep(now: number): void {
    for (const [name, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(name);
    this.#sweepAt = Math.max(firstSweep, this.#buckets.size * 2);
  }
}

export function throttleOf(charge: Charge, type: LimitType): Throttle {
  const what = charge.target === 'table' ? 'Table' : 'Index';
  const use = charge.unit === 'read' ? 'Read' : 'Write';
  return { reason: `${what}${use}${type}`, type, resource: charge.arn, charge };
}
