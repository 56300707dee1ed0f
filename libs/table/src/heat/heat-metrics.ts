import { Leaders } from '@engawa/heat';
import { Gauge } from 'prom-client';
import type { Heat, KeyNamer, PartitionHeat, IndexUnit } from '@engawa/heat';
import type { Registry } from 'prom-client';

export interface HeatMetricsOptions {
  heat: Heat;
  nameOf: KeyNamer;
  registry: Registry;
  /** Shares the label values of Heat. */
  now?: () => number;
}

/** Keys of each index and unit that become label values. */
const maxLabels = 10;

/**
 * Candidates for the labels: several keys may share a name, and a current label may have dropped below the first ten.
 */
const maxCandidates = 100;

/** Gauges of the hottest keys: ten of each index and unit, chosen so that labels rarely change. */
export class HeatMetrics {
  readonly #heat: Heat;
  readonly #nameOf: KeyNamer;
  readonly #leaders = new Map<string, Leaders>();
  readonly #units;
  readonly #utilization;
  readonly #throttles;

  constructor({ heat, nameOf, registry, now = () => performance.now() }: HeatMetricsOptions) {
    this.#heat = heat;
    this.#nameOf = nameOf;
    const labelNames = ['index', 'unit', 'partition'] as const;
    // The first registered gauge is collected first: it updates all three when they are scraped.
    const update = (): void => this.#update(now());
    const gauge = (name: string, help: string, collect?: () => void) =>
      new Gauge({ name, help, labelNames, registers: [registry], ...(collect && { collect }) });
    this.#units = gauge(
      'engawa_hot_partition_units_per_second',
      'Capacity units per second that this process consumes of a partition key, for the ten hottest keys of each index and unit.',
      update,
    );
    this.#utilization = gauge(
      'engawa_hot_partition_utilization_ratio',
      'Share of the limit of one partition that this process consumes, of each of its ten hottest partition keys by index and unit.',
    );
    this.#throttles = gauge(
      'engawa_hot_partition_throttles_per_second',
      'Throttled items and Queries per second, for any reason, of each of the ten hottest partition keys by index and unit.',
    );
  }

  #update(now: number): void {
    // Removes the series of keys that are no longer among the hottest.
    for (const gauge of [this.#units, this.#utilization, this.#throttles]) gauge.reset();
    for (const indexUnit of this.#heat.indexUnits()) {
      for (const leader of this.#leadersOf(indexUnit).choose(this.#named(indexUnit, now)))
        this.#set(leader);
    }
  }

  #set(leader: PartitionHeat): void {
    const { index, unit, partition, unitsPerSecond, utilization, throttlesPerSecond } = leader;
    const labels = { index, unit, partition };
    const throttles = Object.values(throttlesPerSecond).reduce((sum, rate) => sum + rate, 0);
    this.#units.set(labels, unitsPerSecond);
    this.#utilization.set(labels, utilization);
    this.#throttles.set(labels, throttles);
  }

  /** Hottest first, under their public names; of keys with the same name only the hottest. */
  #named(indexUnit: IndexUnit, now: number): PartitionHeat[] {
    const named = new Map<string, PartitionHeat>();
    for (const heat of this.#heat.top(indexUnit, maxCandidates, now)) {
      const partition = this.#nameOf(heat.index, heat.partition);
      if (!named.has(partition)) named.set(partition, { ...heat, partition });
    }
    return [...named.values()];
  }

  #leadersOf({ index, unit }: IndexUnit): Leaders {
    const name = `${unit} ${index}`;
    const leaders = this.#leaders.get(name) ?? new Leaders({ count: maxLabels });
    this.#leaders.set(name, leaders);
    return leaders;
  }
}
