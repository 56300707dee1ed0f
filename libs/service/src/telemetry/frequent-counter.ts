import { Counter } from 'prom-client';
import type { CounterConfiguration, LabelValues, Registry } from 'prom-client';

/** The events of one combination of label values since the last scrape. */
export interface Tally {
  count: number;
}

interface LabelledTally<Label extends string> extends Tally {
  readonly labels: LabelValues<Label>;
}

/**
 * A counter of frequent events. They are added to a plain number, which the counter takes over at each scrape:
 * prom-client hashes the label values of each event, which costs more than many an event itself.
 */
export class FrequentCounter<Label extends string = never> {
  readonly #tallies = new Map<string, LabelledTally<Label>>();

  constructor(
    registry: Registry,
    configuration: Pick<CounterConfiguration<Label>, 'name' | 'help' | 'labelNames'>,
  ) {
    const tallies = this.#tallies;
    const counter = new Counter<Label>({
      ...configuration,
      registers: [registry],
      collect() {
        for (const tally of tallies.values()) {
          if (tally.count > 0) counter.inc(tally.labels, tally.count);
          tally.count = 0;
        }
      },
    });
  }

  /** The tally of these label values; keep it where events are frequent. */
  of(labels: LabelValues<Label>): Tally {
    const name = JSON.stringify(labels);
    const known = this.#tallies.get(name);
    if (known !== undefined) return known;
    const tally = { labels, count: 0 };
    this.#tallies.set(name, tally);
    return tally;
  }

  add(labels: LabelValues<Label>, count = 1): void {
    this.of(labels).count += count;
  }
}
