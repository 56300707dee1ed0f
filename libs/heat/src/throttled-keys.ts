import { boundedKey } from './bounded-key.ts';
import { throttlingScopes } from './partition.ts';
import { SlidingSketch } from './sliding-sketch.ts';
import type { ThrottlingScope } from './partition.ts';

/** Pairs of a scope and a key that are counted at the same time. */
const capacity = 200;

/** How often a key was throttled. */
export interface KeyThrottles {
  counts: Partial<Record<ThrottlingScope, number>>;
  /** Units that came back. */
  units: number;
}

/**
 * The most throttled keys of one side. Only what has been counted is told of them, without what they may have inherited:
 * that it was throttled must never be said of a key that was not.
 */
export class ThrottledKeys {
  readonly #sketch = new SlidingSketch({ capacity, carries: true });

  add(partition: string, scope: ThrottlingScope, units: number): void {
    this.#sketch.add(nameOf(scope, partition), 1, units);
  }

  of(partition: string): KeyThrottles {
    const throttles: KeyThrottles = { counts: {}, units: 0 };
    for (const scope of throttlingScopes) {
      const { estimate, error, carried } = this.#sketch.read(nameOf(scope, partition)) ?? none;
      if (estimate <= error) continue;
      throttles.counts[scope] = estimate - error;
      throttles.units += carried;
    }
    return throttles;
  }

  /** All that are known of, each once. */
  partitions(): Set<string> {
    const names = this.#sketch.largest(capacity);
    return new Set(names.map((name) => name.slice(name.indexOf(' ') + 1)));
  }

  turn(panes: number): void {
    this.#sketch.turn(panes);
  }

  get bytes(): number {
    return this.#sketch.bytes;
  }
}

const none = { estimate: 0, error: 0, carried: 0 };

function nameOf(scope: ThrottlingScope, partition: string): string {
  return `${scope} ${boundedKey(partition)}`;
}
