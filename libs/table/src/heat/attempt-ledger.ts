import { invariant } from '@engawa/errors';
import { itemSize } from '@engawa/model';
import { unitsOfTask } from '@engawa/service';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { throttledActions, throttlingsOf } from '../errors/throttling.ts';
import { minWriteUnits } from '../limits.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { chargesOf } from './charges.ts';
import { consumedUnits } from './consumed-units.ts';
import { estimateUnits } from './estimate-units.ts';
import { KnownIndexKeys } from './known-index-keys.ts';
import { isFullResponse, unprocessedParts } from './unprocessed-parts.ts';
import { partitionIn, unitsOfBytes, unitsBySize } from '../items/charged-part.ts';
import { capBySize, distributeUnits } from './distribute-units.ts';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Heat, Partition, ThrottlingCause, Unit } from '@engawa/heat';
import type { Attributes } from '../items/marshal.ts';
import type { Attempt, TableMetrics } from '../observe/table-metrics.ts';
import type { Throttling } from '../errors/throttling.ts';
import type { ConsumedUnits } from './consumed-units.ts';
import type { BatchOutput } from './unprocessed-parts.ts';
import type { RequestCharges, ChargedPart } from '../items/charged-part.ts';

/** An attempt of a request, with its input. */
export interface AttemptRequest extends Attempt {
  /** In DynamoDB's form. */
  input: object;
}

type Response = BatchOutput & { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

interface LedgerOptions {
  metrics: TableMetrics;
  heat?: Heat | undefined;
}

/** A throttled part; DynamoDB does not report which of its keys is throttled. */
interface ThrottledPart extends ThrottlingCause {
  part: ChargedPart;
  candidates: readonly Partition[];
}

/** Attributes the units and throttles of each attempt to indexes (metrics) and partition keys (heat). */
export class AttemptLedger {
  readonly #metrics: TableMetrics;
  readonly #heat: Heat | undefined;
  readonly #indexKeys = new KnownIndexKeys();

  constructor({ metrics, heat }: LedgerOptions) {
    this.#metrics = metrics;
    this.#heat = heat;
  }

  succeeded({ operation, index: requested, input }: AttemptRequest, output: object): void {
    const response = output as Response;
    const unit = unitOf(operation);
    const consumed = consumedUnits(response.ConsumedCapacity, { index: requested, unit });
    const task = unitsOfTask();
    task?.requested(operation, requested);
    if (task !== undefined && response.ConsumedCapacity === undefined) task.isComplete = false;
    for (const { index, unit, units } of consumed) {
      this.#metrics.consumed({ operation, index }, unit, units);
      task?.add(unit, units);
    }
    const unprocessed = unprocessedParts(response);
    if (unprocessed !== undefined) this.#metrics.unprocessed(operation, unprocessed.size);
    const charges = chargesOf(operation, input, output);
    if (charges === undefined) return;
    if (unprocessed === undefined) {
      if (operation === 'UpdateItem') charges.parts.forEach((part) => this.#indexKeys.learn(part));
      this.#attributeUnits(consumed, charges);
      return;
    }
    const isUnprocessed = ({ id = '' }: ChargedPart) => unprocessed.has(id);
    const processed = charges.parts.filter((part) => !isUnprocessed(part));
    this.#attributeUnits(consumed, { ...charges, parts: processed });
    if (isFullResponse(charges, consumed)) return;
    const throttled = charges.parts
      .filter(isUnprocessed)
      .map((part) => ({ ...unprocessedCause, part, candidates: part.partitions }));
    this.#attributeToHottest(operation, charges, throttled);
  }

  failed({ operation, index, input }: AttemptRequest, error: unknown): void {
    unitsOfTask()?.requested(operation, index);
    const { parts, ...others } = chargesOf(operation, input) ?? noCharges;
    const charges = { ...others, parts: parts.map((part) => this.#indexKeys.complete(part)) };
    const cancelled = throttledActions(error);
    if (cancelled.length > 0) {
      const throttled = cancelled.flatMap(({ action, code, inIndex }) => {
        const part = charges.parts[action];
        return part ? [{ ...causeOf(code), part, candidates: candidatesOf(part, inIndex) }] : [];
      });
      this.#attributeToHottest(operation, charges, throttled);
    } else if (errorKindOf(error) === 'throttled') {
      for (const throttling of throttlingsOf(error, { index, unit: unitOf(operation) })) {
        this.#metrics.throttled(operation, throttling);
        this.#attributeThrottling(throttling, charges);
      }
    } else if ((error as Error).name === 'ConditionalCheckFailedException') {
      this.#attributeFailedCondition(charges, (error as { Item?: Attributes }).Item);
    }
  }

  #attributeUnits(consumed: readonly ConsumedUnits[], charges: RequestCharges): void {
    const heat = this.#heat;
    if (heat === undefined || charges.parts.length === 0) return;
    const now = performance.now();
    const sums = consumed.filter(({ isSum, unit }) => isSum === true && unit === 'write');
    if (consumed.length === 0 || sums.length > 0) {
      const sum = sums.reduce((units, one) => units + one.units, 0);
      for (const { partition, units } of estimateUnits(sum, charges))
        heat.used(partition, units, now);
      return;
    }
    for (const { index, unit, units } of consumed) {
      const parts = charges.parts.filter((part) => partitionIn(index, part) !== undefined);
      if (units === 0 || parts.length === 0) continue;
      const inIndex = { ...charges, parts };
      const mayBeInIndex = (part: ChargedPart) =>
        part.mayHaveUnknownIndexKeys && !parts.includes(part);
      const isShared = charges.parts.some(mayBeInIndex);
      const shares = distributeUnits(isShared ? capBySize(units, inIndex) : units, inIndex);
      parts.forEach((part, number) => {
        const partition = partitionIn(index, part);
        if (partition)
          heat.used(
            withUnit(partition, unit),
            invariant(shares[number], 'each part has a share'),
            now,
          );
      });
    }
  }

  /**
   * A write with a failed condition consumes units of the table, not of its indexes, for the larger of the existing
   * item and the new one (developer guide, "DynamoDB read and write operations"). The error does not report them.
   */
  #attributeFailedCondition(charges: RequestCharges, current: Attributes | undefined): void {
    const [part] = charges.parts;
    const [partition] = part?.partitions ?? [];
    if (part === undefined || partition === undefined) return;
    const units = unitsOfBytes('write', current === undefined ? 0 : itemSize(unmarshal(current)));
    const larger = Math.max(units, unitsBySize(part, charges));
    this.#heat?.used(partition, larger, performance.now());
  }

  /** Attributes the throttle of each part to its key in the index that DynamoDB names, if that key is known. */
  #attributeThrottling({ index, unit, reason, scope }: Throttling, charges: RequestCharges): void {
    const heat = this.#heat;
    if (heat === undefined) return;
    const now = performance.now();
    const throttled = charges.parts.flatMap((part) => {
      const units = unitsBySize(part, charges);
      const partition =
        scope === 'other' ? this.#hottest(part.partitions, units, now) : partitionIn(index, part);
      return partition === undefined ? [] : [{ partition, units }];
    });
    for (const { partition, units } of throttled) {
      heat.throttled(withUnit(partition, unit), { scope, reason }, units, now);
    }
    if (throttled.length === 0) heat.throttledElsewhere({ index, unit }, { scope, reason }, now);
  }

  /** DynamoDB names neither key nor index: the hottest of a part's keys is the most likely cause. */
  #attributeToHottest(
    operation: string,
    charges: RequestCharges,
    throttled: readonly ThrottledPart[],
  ): void {
    const now = performance.now();
    const seen = new Map<string, Omit<Throttling, 'unit'>>();
    for (const { part, candidates, scope, reason } of throttled) {
      const units = unitsBySize(part, charges);
      const partition = this.#hottest(candidates, units, now);
      if (partition === undefined) continue;
      const { index } = partition;
      seen.set(`${index} ${reason}`, { index, scope, reason });
      this.#heat?.throttled(partition, { scope, reason }, units, now);
    }
    for (const throttling of seen.values()) this.#metrics.throttled(operation, throttling);
  }

  #hottest(candidates: readonly Partition[], units: number, now: number): Partition | undefined {
    return this.#heat === undefined ? candidates[0] : this.#heat.hottest(candidates, units, now);
  }
}

const noCharges: RequestCharges = { unit: 'write', minUnits: minWriteUnits.single, parts: [] };

const unprocessedCause = causeOf('unprocessed');

function causeOf(reason: string): ThrottlingCause {
  return { scope: 'other', reason };
}

/** The part's known keys in indexes, where DynamoDB reports an index as throttled; otherwise all of its keys. */
function candidatesOf({ partitions }: ChargedPart, inIndex: boolean): readonly Partition[] {
  return inIndex && partitions.length > 1 ? partitions.slice(1) : partitions;
}

function withUnit(partition: Partition, unit: Unit): Partition {
  return partition.unit === unit ? partition : { ...partition, unit };
}

/** Estimated units of an operation, where DynamoDB does not report them. */
function unitOf(operation: string): Unit {
  return /Write|Put|Update|Delete/.test(operation) ? 'write' : 'read';
}
