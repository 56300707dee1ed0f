import { isHot } from './warmth.ts';
import type { PartitionHeat } from './partition.ts';

export interface LeadersOptions {
  /** How many there are at most. */
  count: number;
}

/** Times as much of the limit that a challenger must use, for certain, as the one whose place it takes. */
const clearly = 1.5;

/** Choices (one a scrape) after which the place of one that was no more among the candidates is free. */
const patience = 60;

interface Place {
  utilization: number;
  hot: boolean;
  missing: number;
}

/**
 * The ten (or so) keys of one side that become label values. Who is in stays in until another is clearly hotter, or until it
 * has been quiet for a while; so that there are few changes, and of many keys that are alike few ever become label values.
 */
export class Leaders {
  readonly #count: number;
  readonly #places = new Map<string, Place>();

  constructor({ count }: LeadersOptions) {
    this.#count = count;
  }

  /** @param candidates the hottest now, the hottest first, more than there are places */
  choose(candidates: readonly PartitionHeat[]): PartitionHeat[] {
    const present = new Map(candidates.map((heat) => [heat.partition, heat]));
    for (const [name, place] of this.#places) this.#update(name, place, present.get(name));
    for (const heat of candidates) {
      if (!this.#places.has(heat.partition)) this.#challenge(heat);
    }
    return candidates.filter(({ partition }) => this.#places.has(partition));
  }

  #update(name: string, place: Place, heat: PartitionHeat | undefined): void {
    if (heat !== undefined) this.#places.set(name, placeOf(heat));
    else if (place.missing >= patience) this.#places.delete(name);
    // Its share of the limit is kept in mind: else any key that is a little less quiet would take its place.
    else this.#places.set(name, { ...place, hot: false, missing: place.missing + 1 });
  }

  #challenge(heat: PartitionHeat): void {
    if (this.#places.size >= this.#count) {
      const [name, place] = this.#coolest();
      if (!clearlyHotter(heat, place)) return;
      this.#places.delete(name);
    }
    this.#places.set(heat.partition, placeOf(heat));
  }

  #coolest(): [string, Place] {
    const [coolest] = [...this.#places].sort(
      ([, left], [, right]) =>
        Number(left.hot) - Number(right.hot) || left.utilization - right.utilization,
    );
    return coolest ?? ['', { utilization: Infinity, hot: true, missing: 0 }];
  }
}

function placeOf(heat: PartitionHeat): Place {
  return { utilization: heat.utilization, hot: isHot(heat), missing: 0 };
}

function clearlyHotter(heat: PartitionHeat, place: Place): boolean {
  if (isHot(heat) !== place.hot) return isHot(heat);
  return certain(heat) > clearly * place.utilization;
}

/** The share of the limit that it uses at least. */
function certain({ utilization, unitsPerSecond, uncertainty }: PartitionHeat): number {
  return unitsPerSecond === 0 ? 0 : utilization * (1 - uncertainty / unitsPerSecond);
}
