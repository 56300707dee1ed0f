/** A key is hot from this share of its limit on. */
export const hotFrom = 0.7;

/** A hot key stays hot until it is below this share. */
export const coolBelow = 0.5;

/** Milliseconds for which a hot key must not have been throttled before it cools. */
const calm = 10_000;

/** Milliseconds without a throttle after which a key is pressed no more: whoever writes to a throttled key waits up to 5 s. */
const longestPause = 5000;

/** Keys of one side that can be hot at the same time; who comes when all are hot is hot once another has cooled. */
const most = 64;

interface Pressed {
  hotSince?: number;
  pressedSince: number;
  pressedAt: number;
  throttledAt: number;
}

/** Since when a key is hot, and from when to when it is pressed, in milliseconds as `now`. */
export interface HotState {
  hotSince?: number;
  pressedSince?: number;
  pressedAt?: number;
}

/** Which keys of one side are hot. They heat quickly and cool slowly, so that nothing flaps. */
export class HotKeys {
  readonly #keys = new Map<string, Pressed>();

  /** It was throttled for its own sake. */
  throttled(partition: string, now: number): void {
    const key = this.#press(partition, now);
    if (key !== undefined) key.throttledAt = now;
  }

  /** It was seen to be used from `hotFrom` on. */
  used(partition: string, now: number): void {
    this.#press(partition, now);
  }

  /** Those that have become hot since the last time, and those that are no more. */
  tick(now: number, utilizationOf: (partition: string) => number): Record<HotChange, string[]> {
    const changes: Record<HotChange, string[]> = { heated: [], cooled: [] };
    for (const [partition, key] of this.#keys) {
      if (key.hotSince === undefined) {
        key.hotSince = key.pressedSince;
        changes.heated.push(partition);
      } else if (now - key.throttledAt >= calm && utilizationOf(partition) < coolBelow) {
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
    return { hotSince, ...(now - pressedAt <= longestPause && { pressedSince, pressedAt }) };
  }

  hot(): string[] {
    return [...this.#keys.keys()].filter(
      (partition) => this.#keys.get(partition)?.hotSince !== undefined,
    );
  }

  #press(partition: string, now: number): Pressed | undefined {
    const known = this.#keys.get(partition);
    if (known === undefined) {
      if (this.#keys.size >= most) return undefined;
      const key = { pressedSince: now, pressedAt: now, throttledAt: -Infinity };
      this.#keys.set(partition, key);
      return key;
    }
    if (now - known.pressedAt > longestPause) known.pressedSince = now;
    known.pressedAt = now;
    return known;
  }
}

export type HotChange = 'heated' | 'cooled';
