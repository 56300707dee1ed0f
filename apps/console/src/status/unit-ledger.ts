import type { Units } from './status-report.ts';

const minuteMs = 60_000;
/** Minutes that are kept. */
const keptMinutes = 60;
/** Processes that are kept; beyond it, the one that was read least recently is forgotten. */
const maxProcesses = 1000;

/**
 * A process that started so shortly before the ledger is counted from its start: the services of one machine start
 * together. In milliseconds.
 */
const startGraceMs = 30_000;

/** The counters of a process at one time. */
export interface UnitCounters {
  service: string;
  address: string;
  /** Start of the process: with another one, its counters have begun at 0 again. Epoch milliseconds. */
  startedAt: number;
  units: Units;
}

interface Minute {
  /** Minutes since the epoch. */
  at: number;
  byService: Map<string, Units>;
}

/**
 * The units of the last hour: differences of counters that are read from time to time, by the minute in which they were
 * read. A process that restarts, or that is unreachable for a while, is counted as well.
 */
export class UnitLedger {
  readonly #startedAt: number;
  readonly #minutes: Minute[] = [];
  readonly #last = new Map<string, UnitCounters & { readAt: number }>();

  /** @param startedAt from when the ledger counts, in epoch milliseconds */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Start of the time that `minutes` covers, in epoch milliseconds. */
  since(now: number): number {
    return Math.max(this.#startedAt, (Math.floor(now / minuteMs) - keptMinutes + 1) * minuteMs);
  }

  /** @param now epoch milliseconds */
  add(counters: UnitCounters, now: number): void {
    const { service, address, startedAt, units } = counters;
    const key = `${service} ${address}`;
    const last = this.#last.get(key);
    const isSame = last?.startedAt === startedAt && !isBelow(units, last.units);
    this.#last.delete(key); // so that the map is in the order of reading
    this.#last.set(key, { ...counters, readAt: now });
    this.#forget(now);
    if (isSame) this.#count(service, difference(units, last.units), now);
    // Another process: its counters cover the time since its start, which may be before the ledger's time.
    else if (startedAt >= this.since(now) - startGraceMs) this.#count(service, units, now);
  }

  /** Units by service, of each of the last minutes; the last one is that of `now`. */
  minutes(now: number): ReadonlyMap<string, Units>[] {
    const current = Math.floor(now / minuteMs);
    const first = Math.floor(this.since(now) / minuteMs);
    const found = new Map(this.#minutes.map(({ at, byService }) => [at, byService]));
    const length = Math.max(current - first + 1, 1);
    return Array.from({ length }, (_, index) => found.get(first + index) ?? new Map());
  }

  #count(service: string, units: Units, now: number): void {
    const at = Math.floor(now / minuteMs);
    let minute = this.#minutes.at(-1);
    if (minute?.at !== at) this.#minutes.push((minute = { at, byService: new Map() }));
    const sum = minute.byService.get(service);
    minute.byService.set(service, sum === undefined ? units : total([sum, units]));
    while ((this.#minutes[0]?.at ?? at) <= at - keptMinutes) this.#minutes.shift();
  }

  #forget(now: number): void {
    for (const [key, { readAt }] of this.#last) {
      if (now - readAt <= keptMinutes * minuteMs && this.#last.size <= maxProcesses) return;
      this.#last.delete(key);
    }
  }
}

export function total(all: Iterable<Units>): Units {
  let [read, write] = [0, 0];
  for (const units of all) {
    read += units.read;
    write += units.write;
  }
  return { read, write };
}

function difference(one: Units, other: Units): Units {
  return { read: one.read - other.read, write: one.write - other.write };
}

function isBelow(one: Units, other: Units): boolean {
  return one.read < other.read || one.write < other.write;
}
