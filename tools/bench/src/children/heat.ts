// The heat monitor alone, on readings of a million devices with Zipf-distributed rates; needs
// --expose-gc.
import { Heat } from '@engawa/heat';
import { randomFrom, zipf } from '@engawa/testing';
import { serve, usedCpu } from '../serve.ts';
import type { IndexUnit } from '@engawa/heat';

export interface HeatMethods {
  /** Share of checks, one per second, in which the ten hottest are the real ones of the last ten seconds. */
  agreement(input: { seconds: number }): Promise<{ checks: number; agreed: number }>;
  /** Increase of the heap in bytes after this many records of each index unit. */
  memory(input: { records: number }): Promise<{ heat: number; exact: number; exactKeys: number }>;
  /** Microseconds of CPU for this many records, compared with a Map that counts exactly and never evicts. */
  cpu(input: { records: number }): Promise<{ heat: number; exact: number }>;
}

const keyCount = 1_000_000;
/** Records a second, by the time that Heat is told. */
const rate = 50_000;
const ten = 10;
const limits = { read: 3000, write: 1000 };
const write: IndexUnit = { index: 'table', unit: 'write' };
/** All that a service reads and writes. */
const indexUnits: readonly IndexUnit[] = ['table', 'gsi1', 'gsi2'].flatMap((index) => [
  { index, unit: 'read' as const },
  { index, unit: 'write' as const },
]);

/** A new string each time, so that retained strings count for the heat monitor. */
const keyOf = (rank: number): string => `DEVICE#sensor-${String(rank).padStart(7, '0')}`;

/** Simulated milliseconds of a record. */
const timeOf = (record: number): number => (record * 1000) / rate;

/** Looks as often as a service does. */
function tickAt(heat: Heat, record: number): void {
  if (record % rate === 0) heat.tick(timeOf(record));
}

class TrueCounts {
  readonly #counts = new Uint32Array(keyCount);
  readonly #seconds: Uint32Array[] = [];

  /** One more second, and the eleventh before it no more. */
  add(ranks: Uint32Array): void {
    for (const rank of ranks) this.#counts[rank] = (this.#counts[rank] ?? 0) + 1;
    this.#seconds.push(ranks);
    if (this.#seconds.length <= ten) return;
    for (const rank of this.#seconds.shift() ?? [])
      this.#counts[rank] = (this.#counts[rank] ?? 0) - 1;
  }

  /** Whether these have as many units as the ten with the most: of equal ones any may be among them. */
  agrees(ranks: readonly number[]): boolean {
    const most = [...this.#counts.keys()]
      .filter((rank) => (this.#counts[rank] ?? 0) > rate / 1000)
      .map((rank) => this.#counts[rank] ?? 0)
      .sort((a, b) => b - a)
      .slice(0, ten);
    const found = ranks.map((rank) => this.#counts[rank] ?? 0).sort((a, b) => b - a);
    return new Set(ranks).size === ten && found.every((count, index) => count === most[index]);
  }
}

function agreement(seconds: number) {
  const heat = new Heat({ limits });
  const truth = new TrueCounts();
  const draw = zipf(keyCount, randomFrom(1));
  let [checks, agreed, record] = [0, 0, 0];
  for (let second = 1; second <= seconds; second++) {
    const ranks = Uint32Array.from({ length: rate }, draw);
    for (const rank of ranks) heat.used({ ...write, partition: keyOf(rank) }, 1, timeOf(record++));
    truth.add(ranks);
    heat.tick(timeOf(record));
    if (second < ten) continue;
    const top = heat.top(write, ten, timeOf(record));
    checks += 1;
    if (truth.agrees(top.map(({ partition }) => Number(partition.slice(-7))))) agreed += 1;
  }
  return { checks, agreed };
}

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function memory(records: number) {
  const draw = zipf(keyCount, randomFrom(2));
  const before = heldBytes();
  const heat = new Heat({ limits });
  for (let record = 0; record < records; record++) {
    for (const indexUnit of indexUnits) {
      const partition = { ...indexUnit, partition: keyOf(draw()) };
      heat.used(partition, 1, timeOf(record));
      if (record % 10 === 0) {
        const cause = { scope: 'key_range', reason: 'KeyRangeThroughputExceeded' } as const;
        heat.throttled(partition, cause, 1, timeOf(record));
      }
    }
    tickAt(heat, record);
  }
  const held = heldBytes() - before;
  const exactBefore = heldBytes();
  const exact = new Map<string, number>();
  for (let record = 0; record < records; record++) {
    const key = keyOf(draw());
    exact.set(key, (exact.get(key) ?? 0) + 1);
  }
  const exactHeld = heldBytes() - exactBefore;
  // Asked of both, so that neither is gone before it is measured.
  const isThere = heat.indexUnits().length >= 0;
  return { heat: isThere ? held : 0, exact: exactHeld, exactKeys: exact.size };
}

function cpu(records: number) {
  const draw = zipf(keyCount, randomFrom(3));
  const keys = Array.from({ length: keyCount }, (_, rank) => keyOf(rank));
  const ranks = Uint32Array.from({ length: records }, draw);
  const heat = new Heat({ limits });
  const feed = (from: number, to: number): void => {
    for (let record = from; record < to; record++) {
      const partition = keys[ranks[record] ?? 0] ?? '';
      heat.used({ index: 'table', unit: 'write', partition }, 1, timeOf(record));
      tickAt(heat, record);
    }
  };
  // A tenth before anything is counted: Node compiles, and the keys are hashed once.
  const warm = Math.floor(records / 10);
  feed(0, warm);
  const start = usedCpu();
  feed(warm, records);
  const between = usedCpu();
  const exact = new Map<string, number>();
  for (let record = warm; record < records; record++) {
    const partition = keys[ranks[record] ?? 0] ?? '';
    exact.set(partition, (exact.get(partition) ?? 0) + 1);
  }
  const end = usedCpu();
  const counted = records - warm;
  return { heat: (between - start) / counted, exact: (end - between) / counted };
}

const methods: HeatMethods = {
  agreement: ({ seconds }) => Promise.resolve(agreement(seconds)),
  memory: ({ records }) => Promise.resolve(memory(records)),
  cpu: ({ records }) => Promise.resolve(cpu(records)),
};
serve(methods);
