import { z } from 'zod';
import { PeakBucket } from './peak-bucket.ts';
import { SharedPartitions, sharedPartitionsSchema } from './shared-partitions.ts';
import { TokenBucket } from './token-bucket.ts';
import type { Charge } from './rules/charge.ts';
import type { LimitType, Throttle } from './rules/throttling.ts';

const rates = z.strictObject({
  read: z.number().positive().optional(),
  write: z.number().positive().optional(),
});
const byTarget = z.record(z.string(), rates);

/** Units per second; an absent limit is off, except for partitions. */
export const limitsSchema = z.strictObject({
  /** Of each partition key, of the table and of each index (DynamoDB's own: 3,000 and 1,000). */
  partition: rates.prefault({ read: 3000, write: 1000 }),
  /** Seconds of unused capacity that accumulate (DynamoDB's own: 300). */
  burstSeconds: z.number().positive().default(300),
  /** Selects the exception for a hot partition, which differs between DynamoDB's billing modes. */
  billing: z.enum(['provisioned', 'onDemand']).default('onDemand'),
  /** By `table` or an index's name. */
  provisioned: byTarget.default({}),
  onDemandMaximum: byTarget.default({}),
  account: byTarget.default({}),
  /** Keys of one partition, which has the limits of `partition`. */
  sharedPartitions: sharedPartitionsSchema.default([]),
  /** Seconds from its first throttle after which the keys of a shared partition get partitions of their own. */
  isolateAfterSeconds: z.number().positive().optional(),
  /** Of an on-demand table or index, which serves twice as much. */
  formerPeak: byTarget.default({}),
  /** Seconds after which the load served is the former peak. */
  peakSeconds: z.number().positive().default(1800),
});
export type Limits = z.output<typeof limitsSchema>;
export type LimitsInput = z.input<typeof limitsSchema>;

type Bucket = Pick<TokenBucket, 'has' | 'take' | 'isFull'>;

interface Gate {
  type: LimitType;
  bucket: Bucket;
}

/** Full buckets, which carry no state, are deleted whenever the number of buckets has doubled. */
const firstSweep = 10_000;

/** Admits requests within the limits, by token buckets. */
export class Limiter {
  readonly #limits: Limits;
  readonly #buckets = new Map<string, Bucket>();
  readonly #shared: SharedPartitions;
  #sweepAt = firstSweep;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#shared = new SharedPartitions(
      limits.sharedPartitions,
      limits.isolateAfterSeconds ?? Infinity,
    );
  }

  /**
   * Takes all charges if every limit admits them, otherwise none.
   * @returns the throttle that rejected them
   */
  admit(charges: readonly Charge[], now: number): Throttle | undefined {
    for (const charge of charges) {
      for (const { type, bucket } of this.#gatesOf(charge, now)) {
        if (bucket.has(charge.units, now)) continue;
        if (type === 'KeyRangeThroughputExceeded') this.#shared.throttled(charge, now);
        return { type, charge };
      }
    }
    this.take(charges, now);
    return undefined;
  }

  /** Takes charges that are known only afterwards, also beyond the limits. */
  take(charges: readonly Charge[], now: number): void {
    for (const charge of charges) {
      for (const { bucket } of this.#gatesOf(charge, now)) bucket.take(charge.units, now);
    }
  }

  #gatesOf(charge: Charge, now: number): Gate[] {
    const { partition, provisioned, onDemandMaximum, account } = this.#limits;
    const { burstSeconds, formerPeak, peakSeconds } = this.#limits;
    const { target, unit, key } = charge;
    const rated = [
      ['ProvisionedThroughputExceeded', provisioned[target]?.[unit]],
      ['MaxOnDemandThroughputExceeded', onDemandMaximum[target]?.[unit]],
      ['AccountLimitExceeded', account[target]?.[unit]],
      ['KeyRangeThroughputExceeded', key === undefined ? undefined : partition[unit]],
    ] as const;
    const gates = rated.flatMap(([type, rate]): Gate[] => {
      if (rate === undefined) return [];
      const own = type === 'KeyRangeThroughputExceeded' ? this.#shared.nameOf(charge, now) : '';
      const create = () => new TokenBucket(rate, burstSeconds, now);
      return [{ type, bucket: this.#bucket(charge, [type, own], now, create) }];
    });
    const peak = formerPeak[target]?.[unit];
    if (peak === undefined) return gates;
    const create = () => new PeakBucket(peak, peakSeconds, now);
    const bucket = this.#bucket(charge, ['formerPeak', ''], now, create);
    return [...gates, { type: 'KeyRangeThroughputExceeded', bucket }];
  }

  #bucket(
    { table, target, unit }: Charge,
    [kind, own]: [kind: string, own: string],
    now: number,
    create: () => Bucket,
  ): Bucket {
    const name = `${kind}\n${table}\n${target}\n${unit}\n${own}`;
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
    const bucket = create();
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #sweep(now: number): void {
    for (const [name, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(name);
    this.#sweepAt = Math.max(firstSweep, this.#buckets.size * 2);
  }
}
