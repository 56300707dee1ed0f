import { Leaders } from '@engawa/heat';
import { Gauge } from 'prom-client';
import type { Heat, KeyNamer, PartitionHeat, Side } from '@engawa/heat';
import type { Registry } from 'prom-client';

export interface HeatMetricsOptions {
  heat: Heat;
  nameOf: KeyNamer;
  registry: Registry;
  /** As in Heat. */
  now?: () => number;
}

/** Keys of each index and unit that become label values. */
const mostLabels = 10;

/** Keys among which they are chosen: several may have one name, and who leads already need not be among the first. */
const candidates = 100;

/** The hottest keys as gauges: of each index and unit ten, chosen so that they seldom change. */
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
    // Registered first, the first is asked first: it looks for all of them, at the moment of the scrape.
    const look = (): void => this.#update(now());
    const gauge = (name: string, help: string, collect?: () => void) =>
      new Gauge({ name, help, labelNames, registers: [registry], ...(collect && { collect }) });
    this.#units = gauge(
      'engawa_hot_partition_units_per_second',
      'Capacity units a second that this process takes of a partition key: of the ten hottest of each index and unit.',
      look,
    );
    this.#utilization = gauge(
      'engawa_hot_partition_utilization_ratio',
      'The same as a share of what one partition takes.',
    );
    this.#throttles = gauge(
      'engawa_hot_partition_throttles_per_second',
      'Items and questions a second that came back throttled, for any reason, of the same keys.',
    );
  }

  #update(now: number): void {
    // So that who leads no more leaves no series behind.
    for (const gauge of [this.#units, this.#utilization, this.#throttles]) gauge.reset();
    for (const side of this.#heat.sides()) {
      for (const leader of this.#leadersOf(side).choose(this.#named(side, now))) this.#set(leader);
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

  /** The hottest first, by the names that people get to see; of those with the same name, the hottest. */
  #named(side: Side, now: number): PartitionHeat[] {
    const named = new Map<string, PartitionHeat>();
    for (const heat of this.#heat.top(side, candidates, now)) {
      const partition = this.#nameOf(heat.index, heat.partition);
      if (!named.has(partition)) named.set(partition, { ...heat, partition });
    }
    return [...named.values()];
  }

  #leadersOf({ index, unit }: Side): Leaders {
    const name = `${unit} ${index}`;
    const leaders = this.#leaders.get(name) ?? new Leaders({ count: mostLabels });
    this.#leaders.set(name, leaders);
    return leaders;
  }
}
