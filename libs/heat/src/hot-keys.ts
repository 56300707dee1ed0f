/** A key is hot from this share of its limit on. */
export const hotFrom = 0.7;

/** A hot key stays hot until its share is below this. */
export const coolBelow = 0.5;

/** Time without throttles until a hot key may cool down. */
const calmMs = 10_000;

/**
 * Time without a throttle after which the heat of a key no longer counts as sustained: a writer waits up to 5 s between
 * attempts on a throttled key.
 */
const maxPauseMs = 5000;

/** Maximum hot keys of one index unit; a further one becomes hot once another has cooled down. */
const maxHotKeys = 64;

interface TrackedKey {
  hotSince?: number;
  sustainedSince: number;
  sustainedUntil: number;
  throttledAt: number;
}

/** Start of the heat, and the period of sustained heat, in milliseconds as `now`. */
export interface HotState {
  hotSince?: number;
  sustainedSince?: number;
  sustainedUntil?: number;
}

/** The hot keys of one index unit. They heat quickly and cool slowly (hysteresis), so that states do not flap. */
export class HotKeys {
  readonly #keys = new Map<string, TrackedKey>();

  /** The key itself was throttled. */
  throttled(partition: string, now: number): void {
    const key = this.#sustain(partition, now);
    if (key !== undefined) key.throttledAt = now;
  }

  /** The key uses at least `hotFrom` of its limit. */
  used(partition: string, now: number): void {
    this.#sustain(partition, now);
  }

  /** The keys that became hot and that cooled down since the last call. */
  tick(now: number, utilizationOf: (partition: string) => number): Record<HotChange, string[]> {
    const changes: Record<HotChange, string[]> = { heated: [], cooled: [] };
    for (const [partition, key] of this.#keys) {
      if (key.hotSince === undefined) {
        key.hotSince = key.sustainedSince;
        changes.heated.push(partition);
      } else if (now - key.throttledAt >= calmMs && utilizationOf(partition) < coolBelow) {
        this.#keys.delete(partition);
        changes.cooled.push(partition);
      }
    }
    return changes;
  }

  stateOf(partition: string, now: number): HotState {
    const key = this.#keys.get(partition);
    if (key?.hotSince === undefined) return {};
    const { hotSince, sustainedSince, sustainedUntil } = key;
    return {
      hotSince,
      ...(now - sustainedUntil <= maxPauseMs && { sustainedSince, sustainedUntil }),
    };
  }

  hot(): string[] {
    return [...this.#keys.keys()].filter(
      (partition) => this.#keys.get(partition)?.hotSince !== undefined,
    );
  }

  #sustain(partition: string, now: number): TrackedKey | undefined {
    const known = this.#keys.get(partition);
    if (known === undefined) {
      if (this.#keys.size >= maxHotKeys) return undefined;
      const key = { sustainedSince: now, sustainedUntil: now, throttledAt: -Infinity };
      this.#keys.set(partition, key);
      return key;
    }
    if (now - known.sustainedUntil > maxPauseMs) known.sustainedSince = now;
    known.sustainedUntil = now;
    return known;
  }
}

export type HotChange = 'heated' | 'cooled';
