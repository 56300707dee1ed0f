/** A key is hot from this share of its limit on. */
export const hotFrom = 0.7;

/** A hot key stays hot until its share is below this. */
export const coolBelow = 0.5;

/** Time below `coolBelow` and without throttles until a hot key cools down: a pulsing load is one heat. */
const calmMs = 60_000;

/**
 * Time without a throttle after which the heat of a key no longer counts as sustained: a writer waits up to 5 s between
 * attempts on a throttled key.
 */
const maxPauseMs = 5000;

/** Maximum hot keys of one index unit: a further one replaces the least used. */
const maxHotKeys = 64;

interface TrackedKey {
  hotSince?: number;
  sustainedSince: number;
  sustainedUntil: number;
  /** The last time when it was throttled or used at least `coolBelow` of its limit. */
  busyAt: number;
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
  /** Hot keys that more used ones replaced since the last tick. */
  #replaced: string[] = [];

  /**
   * The key uses at least `hotFrom` of its limit, or is throttled for its own use.
   * @param utilizationOf the use of a key as a share of its limit
   */
  busy(partition: string, now: number, utilizationOf: (partition: string) => number): void {
    const known = this.#keys.get(partition);
    if (known === undefined) {
      if (!this.#makeRoom(utilizationOf(partition), utilizationOf)) return;
      this.#keys.set(partition, { sustainedSince: now, sustainedUntil: now, busyAt: now });
      return;
    }
    if (now - known.sustainedUntil > maxPauseMs) known.sustainedSince = now;
    known.sustainedUntil = now;
    known.busyAt = now;
  }

  /** The keys that became hot and that cooled down since the last call. */
  tick(now: number, utilizationOf: (partition: string) => number): Record<HotChange, string[]> {
    const changes: Record<HotChange, string[]> = { heated: [], cooled: this.#replaced };
    this.#replaced = [];
    for (const [partition, key] of this.#keys) {
      if (utilizationOf(partition) >= coolBelow) key.busyAt = now;
      if (key.hotSince === undefined) {
        key.hotSince = key.sustainedSince;
        changes.heated.push(partition);
      } else if (now - key.busyAt >= calmMs) {
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

  /** Whether there is room for a key of this use: for the most used keys, in any order of arrival. */
  #makeRoom(utilization: number, utilizationOf: (partition: string) => number): boolean {
    if (this.#keys.size < maxHotKeys) return true;
    const [least, use] = [...this.#keys.keys()]
      .map((partition) => [partition, utilizationOf(partition)] as const)
      .reduce((one, other) => (other[1] < one[1] ? other : one));
    if (use >= utilization) return false;
    if (this.#keys.get(least)?.hotSince !== undefined) this.#replaced.push(least);
    return this.#keys.delete(least);
  }
}

export type HotChange = 'heated' | 'cooled';
