import { boundedKey } from '../keys/bounded-key.ts';
import { throttlingScopes } from '../keys/partition.ts';
import { SlidingSketch } from './sliding-sketch.ts';
import type { ThrottlingScope } from '../keys/partition.ts';

/** Counted pairs of a scope and a key. */
const capacity = 200;

/** How often a key was throttled. */
export interface KeyThrottles {
  counts: Partial<Record<ThrottlingScope, number>>;
  /** Throttled units. */
  units: number;
}

/**
 * The most throttled keys of one index unit. Reports only counted throttles, without inherited ones: a
 * key that was not throttled must never be reported as throttled.
 */
export class ThrottledKeys {
  readonly #sketch: SlidingSketch;

  /** @param onReplace called for a key that is replaced, with its throttles since the last call of `takeFresh` */
  constructor(onReplace?: (partition: string, fresh: number) => void) {
    this.#sketch = new SlidingSketch({
      capacity,
      carries: true,
      ...(onReplace && { onReplace: (name, fresh) => onReplace(partitionIn(name), fresh) }),
    });
  }

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

  /** All known keys, each once. */
  partitions(): Set<string> {
    const names = this.#sketch.largest(capacity);
    return new Set(names.map(partitionIn));
  }

  /** Visits each key and scope with throttles since the last call. */
  takeFresh(visit: (partition: string, fresh: number) => void): void {
    this.#sketch.takeFresh((name, fresh) => visit(partitionIn(name), fresh));
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

function partitionIn(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}
