import { createHash } from 'node:crypto';
import type { BirthMetric } from '@engawa/model';

/** Length of a metric's name that counts as one metric. */
const usualName = 64;

/** The metrics that a birth defines. */
export class Mapping {
  readonly metrics: readonly BirthMetric[];
  /** Size in memory, in metrics with names of the usual length. */
  readonly size: number;
  readonly #byAlias = new Map<string, BirthMetric>();
  readonly #byName = new Map<string, BirthMetric>();
  readonly #hash: string;

  constructor(metrics: readonly BirthMetric[]) {
    this.metrics = metrics;
    const hash = createHash('sha256');
    const ambiguous = new Set<string>();
    for (const metric of metrics) {
      const { name, alias, datatype } = metric;
      hash.update(`${name.length} ${name} ${alias} ${datatype} `);
      this.#byName.set(name, metric);
      if (alias === undefined) continue;
      // An alias must be unique (Sparkplug 3.0, 6.4.6); a duplicate alias is ignored.
      if ((this.#byAlias.get(alias)?.name ?? name) !== name) ambiguous.add(alias);
      this.#byAlias.set(alias, metric);
    }
    for (const alias of ambiguous) this.#byAlias.delete(alias);
    this.size = sizeOf(metrics);
    this.#hash = hash.digest('base64');
  }

  byAlias(alias: string): BirthMetric | undefined {
    return this.#byAlias.get(alias);
  }

  byName(name: string): BirthMetric | undefined {
    return this.#byName.get(name);
  }

  equals(other: Mapping): boolean {
    return this.#hash === other.#hash;
  }

  /** The metrics that both mappings define equally. */
  inCommonWith(other: Mapping): Mapping {
    if (this.equals(other)) return this;
    const agrees = ({ name, alias, datatype }: BirthMetric) => {
      const others = [other.byName(name), alias === undefined ? undefined : other.byAlias(alias)];
      return others.every(
        (each) =>
          each === undefined ||
          (each.name === name && each.datatype === datatype && each.alias === alias),
      );
    };
    return new Mapping(this.metrics.filter(agrees));
  }
}

function sizeOf(metrics: readonly BirthMetric[]): number {
  const size = ({ name }: BirthMetric) => Math.ceil((name.length + 1) / usualName);
  return metrics.reduce((sum, metric) => sum + size(metric), 0);
}
