/** A key is hot from this share of its limit on. */
export const hotFrom = 0.7;

/** A hot key stays hot until it is below this share. */
export const coolBelow = 0.5;

/** Time without throttles until a hot key may cool down. */
const calmMs = 10_000;

/**
 * Time without a throttle after which a key is no longer pressed: a writer waits up to 5 s between
 * attempts on a throttled key.
 */
const maxPauseMs = 5000;

/** Hot keys of one side at the same time; a further one becomes hot once another has cooled down. */
const maxHotKeys = 64;

interface Pressed {
  hotSince?: number;
  pressedSince: number;
  pressedAt: number;
  throttledAt: number;
}

/** Since when a key is hot, and the period in which it is pressed, in milliseconds as `now`. */
export interface HotState {
  hotSince?: number;
  pressedSince?: number;
  pressedAt?: number;
}

/** The hot keys of one side. They heat quickly and cool slowly (hysteresis), so that states do not flap. */
export class HotKeys {
  readonly #keys = new Map<string, Pressed>();

  /** The key itself was throttled. */
  throttled(partition: string, now: number): void {
    const key = this.#press(partition, now);
    if (key !== undefined) key.throttledAt = now;
  }

  /** The key uses at least `hotFrom` of its limit. */
  used(partition: string, now: number): void {
    this.#press(partition, now);
  }

  /** The keys that became hot and that cooled down since the last call. */
  tick(now: number, utilizationOf: (partition: string) => number): Record<HotChange, string[]> {
    const changes: Record<HotChange, string[]> = { heated: [], cooled: [] };
    for (const [partition, key] of this.#keys) {
      if (key.hotSince === undefined) {
        key.hotSince = key.pressedSince;
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
    const { hotSince, pressedSince, pressedAt } = key;
    return { hotSince, ...(now - pressedAt <= maxPauseMs && { pressedSince, pressedAt }) };
  }

  hot(): string[] {
    return [...this.#keys.keys()].filter(
      (partition) => this.#keys.get(partition)?.hotSince !== undefined,
    );
  }

  #press(partition: string, now: number): Pressed | undefined {
    const known = this.#keys.get(partition);
    if (known === undefined) {
      if (this.#keys.size >= maxHotKeys) return undefined;
      const key = { pressedSince: now, pressedAt: now, throttledAt: -Infinity };
      this.#keys.set(partition, key);
      return key;
    }
    if (now - known.pressedAt > maxPauseMs) known.pressedSince = now;
    known.pressedAt = now;
    return known;
  }
}

export type HotChange = 'heated' | 'cooled';
