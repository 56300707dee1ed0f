import { ShortLivedCache } from '../short-lived-cache.ts';
import type { RequestBudget } from '@engawa/http';
import type { TimeRange } from '../time-range.ts';
import type { MembershipRows } from './read-memberships.ts';

export interface MembershipCacheOptions<Owner> {
  /** The key of a room, a place or a device. */
  keyOf: (owner: Owner) => string;
  /** Not cancelled with the request, since others may wait for the same memberships. */
  load: (owner: Owner, range: TimeRange, budget: Charged) => Promise<MembershipRows>;
  lifetimeMs: number;
  maxEntries: number;
  /** Monotonic milliseconds. */
  now: () => number;
}

type Charged = Pick<RequestBudget, 'charge'>;

interface LoadedRange extends TimeRange {
  rows: Promise<MembershipRows>;
}

/** Loaded ranges of one history; the oldest one is dropped. */
const maxRanges = 8;

const hourMs = 3_600_000;

/**
 * Caches memberships for a short time, by room, place or device, and by the range that was loaded. A short history is
 * loaded as a whole, and is cached for every range.
 */
export class MembershipCache<Owner> {
  readonly #options: MembershipCacheOptions<Owner>;
  readonly #ranges: ShortLivedCache<LoadedRange[]>;

  constructor(options: MembershipCacheOptions<Owner>) {
    const { lifetimeMs, maxEntries, now } = options;
    this.#options = options;
    this.#ranges = new ShortLivedCache<LoadedRange[]>({
      load: () => Promise.resolve([]),
      ...{ lifetimeMs, maxEntries, now },
    });
  }

  async get(owner: Owner, range: TimeRange, budget: Charged): Promise<MembershipRows> {
    const loaded = await this.#ranges.get(this.#options.keyOf(owner), budget);
    const known = loaded.find(({ from, to }) => from <= range.from && range.to <= to);
    if (known !== undefined) return known.rows;
    const wanted = wholeHours(range);
    const entry: LoadedRange = { ...wanted, rows: this.#options.load(owner, wanted, budget) };
    loaded.push(entry);
    if (loaded.length > maxRanges) loaded.shift();
    try {
      const { isWhole, knownSince } = await entry.rows;
      entry.from = Math.min(entry.from, knownSince);
      if (isWhole) entry.to = Infinity;
    } catch (error) {
      loaded.splice(0, loaded.length, ...loaded.filter((other) => other !== entry));
      throw error;
    }
    return entry.rows;
  }
}

/** A range until now differs from request to request; its hours do not. */
function wholeHours({ from, to }: TimeRange): TimeRange {
  return { from: Math.floor(from / hourMs) * hourMs, to: Math.ceil(to / hourMs) * hourMs };
}
