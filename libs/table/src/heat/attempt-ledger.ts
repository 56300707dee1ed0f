import { itemSize } from '@engawa/model';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { throttledActions, throttlingsOf } from '../errors/throttling.ts';
import { minWriteUnits } from '../limits.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { chargesOf } from './charges.ts';
import { consumedUnits } from './consumed-units.ts';
import { estimate } from './estimate.ts';
import { isFull, leftOver } from './left-over.ts';
import { partitionIn, started, unitsBySize } from '../items/charged-part.ts';
import { capped, shareOut } from './share-out.ts';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Heat, Partition, ThrottlingCause, Unit } from '@engawa/heat';
import type { Attributes } from '../items/marshal.ts';
import type { TableMetrics } from '../observe/table-metrics.ts';
import type { Throttling } from '../errors/throttling.ts';
import type { ConsumedUnits } from './consumed-units.ts';
import type { Answer } from './left-over.ts';
import type { Charges, Part } from '../items/charged-part.ts';

/** One try of a request. */
export interface LedgerEntry {
  /** As DynamoDB calls it: `BatchWriteItem`. */
  operation: string;
  /** `table`, or the index asked. */
  index: string;
  /** In DynamoDB's form. */
  input: object;
}

interface LedgerOptions {
  metrics: TableMetrics;
  heat?: Heat | undefined;
}

/** A part that came back without DynamoDB saying which of its keys it was. */
interface Refusal extends ThrottlingCause {
  part: Part;
  candidates: readonly Partition[];
}

/** Keeps account of what each attempt took of the table and what it was refused, by index and by partition key. */
export class AttemptLedger {
  readonly #metrics: TableMetrics;
  readonly #heat: Heat | undefined;

  constructor({ metrics, heat }: LedgerOptions) {
    this.#metrics = metrics;
    this.#heat = heat;
  }

  answered({ operation, index: asked, input }: LedgerEntry, output: object): void {
    const answer = output as Answer & { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
    const consumed = consumedUnits(answer.ConsumedCapacity, {
      index: asked,
      unit: unitOf(operation),
    });
    for (const { index, unit, units } of consumed) {
      this.#metrics.consumed({ operation, index }, unit, units);
    }
    const left = leftOver(answer);
    if (left !== undefined) this.#metrics.unprocessed(operation, left.size);
    const charges = chargesOf(operation, input, output);
    if (charges === undefined) return;
    const taken = left ? charges.parts.filter(({ id = '' }) => !left.has(id)) : charges.parts;
    this.#use(consumed, { ...charges, parts: taken });
    if (left === undefined || isFull(charges, consumed)) return;
    const refusals = charges.parts
      .filter(({ id = '' }) => left.has(id))
      .map((part) => ({ ...unprocessed, part, candidates: part.partitions }));
    this.#blame(operation, charges, refusals);
  }

  failed(entry: LedgerEntry, error: unknown): void {
    const { operation, index, input } = entry;
    const charges = chargesOf(operation, input) ?? noCharges;
    const cancelled = throttledActions(error);
    if (cancelled.length > 0) {
      const refusals = cancelled.flatMap(({ action, code, inIndex }) => {
        const part = charges.parts[action];
        return part ? [{ ...other(code), part, candidates: candidatesOf(part, inIndex) }] : [];
      });
      this.#blame(operation, charges, refusals);
    } else if (errorKindOf(error) === 'throttled') {
      for (const throttling of throttlingsOf(error, { index, unit: unitOf(operation) })) {
        this.#metrics.throttled(operation, throttling);
        this.#throttle(throttling, charges);
      }
    } else if ((error as Error).name === 'ConditionalCheckFailedException') {
      this.#useInVain(charges, (error as { Item?: Attributes }).Item);
    }
  }

  #use(consumed: readonly ConsumedUnits[], charges: Charges): void {
    const heat = this.#heat;
    if (heat === undefined || charges.parts.length === 0) return;
    const now = performance.now();
    const sums = consumed.filter(({ isSum, unit }) => isSum === true && unit === 'write');
    if (consumed.length === 0 || sums.length > 0) {
      const sum = sums.reduce((units, one) => units + one.units, 0);
      for (const { partition, units } of estimate(sum, charges)) heat.used(partition, units, now);
      return;
    }
    for (const { index, unit, units } of consumed) {
      const parts = charges.parts.filter((part) => partitionIn(index, part) !== undefined);
      if (units === 0 || parts.length === 0) continue;
      const theirs = { ...charges, parts };
      const others = charges.parts.some((part) => part.isOpen && !parts.includes(part));
      const shares = shareOut(others ? capped(units, theirs) : units, theirs);
      parts.forEach((part, number) => {
        const partition = partitionIn(index, part);
        if (partition) heat.used(withUnit(partition, unit), shares[number] ?? 0, now);
      });
    }
  }

  /**
   * A write whose condition does not hold takes units all the same, of the table alone, by the larger of what is there and
   * what was to be (developer guide, "DynamoDB read and write operations"); the error does not tell them.
   */
  #useInVain(charges: Charges, current: Attributes | undefined): void {
    const [part] = charges.parts;
    const [partition] = part?.partitions ?? [];
    if (part === undefined || partition === undefined) return;
    const units = started('write', current === undefined ? 0 : itemSize(unmarshal(current)));
    const most = Math.max(units, unitsBySize(part, charges));
    this.#heat?.used(partition, most, performance.now());
  }

  /** Each part of the request was turned away, by its key in the index that DynamoDB names, if it is known. */
  #throttle({ index, unit, reason, scope }: Throttling, charges: Charges): void {
    const heat = this.#heat;
    if (heat === undefined) return;
    const now = performance.now();
    for (const part of charges.parts) {
      const partition =
        scope === 'other' ? this.#hottest(part.partitions, now) : partitionIn(index, part);
      if (partition === undefined) continue;
      const units = unitsBySize(part, charges);
      heat.throttled(withUnit(partition, unit), { scope, reason }, units, now);
    }
  }

  /** Where DynamoDB names neither key nor index: the hottest of a part's keys it will have been. */
  #blame(operation: string, charges: Charges, refusals: readonly Refusal[]): void {
    const now = performance.now();
    const seen = new Map<string, Omit<Throttling, 'unit'>>();
    for (const { part, candidates, scope, reason } of refusals) {
      const partition = this.#hottest(candidates, now);
      if (partition === undefined) continue;
      const { index } = partition;
      seen.set(`${index} ${reason}`, { index, scope, reason });
      this.#heat?.throttled(partition, { scope, reason }, unitsBySize(part, charges), now);
    }
    for (const throttling of seen.values()) this.#metrics.throttled(operation, throttling);
  }

  #hottest(candidates: readonly Partition[], now: number): Partition | undefined {
    const [first] = candidates;
    return candidates.length < 2 ? first : (this.#heat?.hottest(candidates, now) ?? first);
  }
}

const noCharges: Charges = { unit: 'write', least: minWriteUnits.single, parts: [] };

const unprocessed = other('unprocessed');

function other(reason: string): ThrottlingCause {
  return { scope: 'other', reason };
}

/** Its keys in indexes, if DynamoDB says that it was one of those and we know any; otherwise all of them. */
function candidatesOf({ partitions }: Part, inIndex: boolean): readonly Partition[] {
  return inIndex && partitions.length > 1 ? partitions.slice(1) : partitions;
}

function withUnit(partition: Partition, unit: Unit): Partition {
  return partition.unit === unit ? partition : { ...partition, unit };
}

/** What an operation takes, where DynamoDB does not say it. */
function unitOf(operation: string): Unit {
  return /Write|Put|Update|Delete/.test(operation) ? 'write' : 'read';
}
