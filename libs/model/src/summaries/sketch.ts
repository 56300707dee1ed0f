import { invariant } from '@engawa/errors';

/** Maximum relative error of a percentile. */
export const sketchError = 0.01;

/**
 * Each bin extends from one power of this to the next, so that its middle differs by at most `sketchError` from each of
 * its values.
 */
const growthFactor = (1 + sketchError) / (1 - sketchError);
const logOfFactor = Math.log(growthFactor);

/** Counts by bin number. */
type Bins = Map<number, number>;

/**
 * Zeros, then the bins of positive and of negative values: alternately the distance from the previous bin number and
 * the count.
 */
export type EncodedSketch = readonly [number, readonly number[], readonly number[]];

/**
 * Counts of values by size: percentiles have a relative error of 1 %, and sketches of several times or devices can be
 * merged in any order (DDSketch, Masson et al., VLDB 2019, without its collapsing of bins).
 */
export class Sketch {
  #zeros = 0;
  readonly #positive: Bins = new Map();
  readonly #negative: Bins = new Map();

  /** The number of its bins. */
  get bins(): number {
    return this.#positive.size + this.#negative.size;
  }

  /** @returns itself */
  add(value: number): this {
    if (value === 0) this.#zeros += 1;
    else count(value > 0 ? this.#positive : this.#negative, binOf(Math.abs(value)), 1);
    return this;
  }

  /** @returns itself */
  merge(other: Sketch): this {
    this.#zeros += other.#zeros;
    for (const [bin, more] of other.#positive) count(this.#positive, bin, more);
    for (const [bin, more] of other.#negative) count(this.#negative, bin, more);
    return this;
  }

  /** The percentile of all values (nearest rank; 50 is the median). Undefined without values. */
  percentile(percent: number): number | undefined {
    const bins = [
      ...ascending(this.#negative)
        .reverse()
        .map(([bin, values]) => [-middleOf(bin), values] as const),
      [0, this.#zeros] as const,
      ...ascending(this.#positive).map(([bin, values]) => [middleOf(bin), values] as const),
    ];
    const total = bins.reduce((sum, [, values]) => sum + values, 0);
    const rank = Math.ceil((total * percent) / 100);
    let below = 0;
    for (const [value, values] of bins) {
      below += values;
      if (below > 0 && below >= rank) return value;
    }
    return undefined;
  }

  encode(): EncodedSketch {
    return [this.#zeros, encodeBins(this.#positive), encodeBins(this.#negative)];
  }

  static decode([zeros, positive, negative]: EncodedSketch): Sketch {
    const sketch = new Sketch();
    sketch.#zeros = zeros;
    decodeBins(positive, sketch.#positive);
    decodeBins(negative, sketch.#negative);
    return sketch;
  }
}

function binOf(magnitude: number): number {
  return Math.ceil(Math.log(magnitude) / logOfFactor);
}

/** The value with equal relative distance to both ends of the bin. */
function middleOf(bin: number): number {
  return (2 * Math.exp(bin * logOfFactor)) / (growthFactor + 1);
}

function count(bins: Bins, bin: number, more: number): void {
  bins.set(bin, (bins.get(bin) ?? 0) + more);
}

function ascending(bins: Bins): [number, number][] {
  return [...bins].sort(([left], [right]) => left - right);
}

function encodeBins(bins: Bins): number[] {
  let before = 0;
  return ascending(bins).flatMap(([bin, values]) => {
    const distance = bin - before;
    before = bin;
    return [distance, values];
  });
}

const pairs = 'bins are encoded as pairs of numbers';

function decodeBins(encoded: readonly number[], bins: Bins): void {
  let bin = 0;
  for (let index = 0; index < encoded.length; index += 2) {
    bin += invariant(encoded[index], pairs);
    bins.set(bin, invariant(encoded[index + 1], pairs));
  }
}
