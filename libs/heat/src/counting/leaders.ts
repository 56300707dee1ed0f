import { invariant } from '@engawa/errors';
import { isHot } from '../reports/hotness-order.ts';
import type { PartitionHeat } from '../keys/partition.ts';

export interface LeadersOptions {
  /** Maximum number of leaders. */
  count: number;
}

/** Factor by which a challenger must certainly exceed the leader that it replaces. */
const replaceFactor = 1.5;

/** Choices (one per scrape) for which a leader keeps its place without being a candidate. */
const maxMissing = 60;

interface LeaderState {
  utilization: number;
  hot: boolean;
  missing: number;
}

/**
 * The keys of one index unit that become label values. A leader stays until a key is clearly hotter or it was quiet for
 * a while. Changes are therefore rare: of many keys with similar loads only few become label values.
 */
export class Leaders {
  readonly #count: number;
  readonly #places = new Map<string, LeaderState>();

  constructor({ count }: LeadersOptions) {
    this.#count = count;
  }

  /** @param candidates the currently hottest keys, in descending order, more keys than leaders */
  choose(candidates: readonly PartitionHeat[]): PartitionHeat[] {
    const present = new Map(candidates.map((heat) => [heat.partition, heat]));
    for (const [name, place] of this.#places) this.#update(name, place, present.get(name));
    for (const heat of candidates) {
      if (!this.#places.has(heat.partition)) this.#challenge(heat);
    }
    return candidates.filter(({ partition }) => this.#places.has(partition));
  }

  #update(name: string, place: LeaderState, heat: PartitionHeat | undefined): void {
    if (heat !== undefined) this.#places.set(name, placeOf(heat));
    else if (place.missing >= maxMissing) this.#places.delete(name);
    // Keeps the share of the limit: otherwise any slightly busier key would replace the leader.
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

  #coolest(): [string, LeaderState] {
    const [coolest] = [...this.#places].sort(
      ([, left], [, right]) =>
        Number(left.hot) - Number(right.hot) || left.utilization - right.utilization,
    );
    return invariant(coolest, 'there is a leader where all places are taken');
  }
}

function placeOf(heat: PartitionHeat): LeaderState {
  return { utilization: heat.utilization, hot: isHot(heat), missing: 0 };
}

function clearlyHotter(heat: PartitionHeat, place: LeaderState): boolean {
  if (isHot(heat) !== place.hot) return isHot(heat);
  return certain(heat) > replaceFactor * place.utilization;
}

/** The lower bound of the share of the limit. */
function certain({ utilization, unitsPerSecond, uncertainty }: PartitionHeat): number {
  return unitsPerSecond === 0 ? 0 : utilization * (1 - uncertainty / unitsPerSecond);
}
