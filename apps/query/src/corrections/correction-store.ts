import { earliestInstant, latestInstant } from '@engawa/keys';
import { bucketStart, rollupWidths } from '@engawa/model';
import { LRUCache } from 'lru-cache';
import { Corrections } from './corrections.ts';
import { readAll, readRange } from './read-corrections.ts';
import type { RequestBudget } from '@engawa/http';
import type { CorrectionState, Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';
import type { CorrectionsRequest } from './read-corrections.ts';

/** Corrections that were read, or are being read, for a range of time. */
interface CachedRange extends TimeRange {
  corrections: Promise<Corrections>;
  /** Of the corrections, once they were read. */
  weight: number;
}

interface CachedDevice {
  version: string;
  /** The latest read first. */
  ranges: CachedRange[];
}

export type CorrectedDevice = Pick<Device, 'id' | 'corrections'>;

/** Corrections and replacement readings in the cache: some tens of megabytes. */
const maxCached = 100_000;

const always: TimeRange = { from: -Infinity, to: Infinity };
const dayMs = rollupWidths.P1D;

/** Cached ranges of a device, such as those of the pages of some clients. */
const maxRanges = 16;

/**
 * The corrections of devices. A device without corrections costs nothing. Those of others are read
 * once per version that the device's item names, so the cache is never older than the item: all of a device with few
 * corrections; of another one, those that touch the requested times.
 */
export class CorrectionStore {
  readonly #table: Pick<Table, 'query'>;
  readonly #cache = new LRUCache<string, CachedDevice>({ maxSize: maxCached });

  constructor(table: Pick<Table, 'query'>) {
    this.#table = table;
  }

  /** @returns those of the requested times, or of a part of them that contains the needed ones (`known`) */
  async of(
    { id, corrections: state }: CorrectedDevice,
    request: CorrectionsRequest,
    budget: Pick<RequestBudget, 'charge'>,
  ): Promise<Corrections> {
    if (state === undefined) return Corrections.none;
    const entry = this.#cache.get(id);
    const device =
      entry?.version === state.version ? entry : { version: state.version, ranges: [] };
    for (const range of device.ranges.filter((range) => isWithin(request, range))) {
      const corrections = await range.corrections;
      if (isNeededKnown(request, corrections.known)) return corrections;
    }
    const whole = state.rows === undefined ? { ...request, ...always } : wholeDays(request);
    const { from, to } = whole;
    const loading = { from, to, corrections: this.#load(id, state, whole, budget), weight: 1 };
    device.ranges = [loading, ...device.ranges].slice(0, maxRanges);
    this.#keep(id, device);
    try {
      const corrections = await loading.corrections;
      loading.weight = corrections.weight;
      if (this.#cache.peek(id) === device) this.#keep(id, device);
      return corrections;
    } catch (error) {
      device.ranges = device.ranges.filter((range) => range !== loading);
      throw error;
    }
  }

  /**
   * Consistent, so that no correction is missing that was made before the item got this version.
   * Not cancelled with the request, since others may wait for the same corrections.
   */
  #load(
    device: string,
    state: CorrectionState,
    request: CorrectionsRequest,
    budget: Pick<RequestBudget, 'charge'>,
  ): Promise<Corrections> {
    const options = { table: this.#table, device, budget };
    const { rows } = state;
    return rows === undefined
      ? readAll(options, state)
      : readRange(options, { ...state, rows }, request);
  }

  #keep(id: string, device: CachedDevice): void {
    this.#cache.delete(id); // a set of the same value does not change its size
    while (weightOf(device) > maxCached && device.ranges.length > 1) device.ranges.pop();
    this.#cache.set(id, device, { size: weightOf(device) });
  }
}

function weightOf({ ranges }: CachedDevice): number {
  return ranges.reduce((sum, { weight }) => sum + weight, 0);
}

function isWithin(range: TimeRange, { from, to }: TimeRange): boolean {
  return from <= range.from && range.to <= to;
}

function isNeededKnown({ from, to, order, needed }: CorrectionsRequest, known: TimeRange): boolean {
  return isWithin(order === 'asc' ? { from, to: needed } : { from: needed, to }, known);
}

/** So that the same corrections serve requests up to the present. */
function wholeDays({ from, to, ...request }: CorrectionsRequest): CorrectionsRequest {
  return {
    ...request,
    from: from <= earliestInstant ? -Infinity : bucketStart(from, 'P1D'),
    to: to >= latestInstant - dayMs ? Infinity : bucketStart(to + dayMs - 1, 'P1D'),
  };
}
