/** The most by which a percentile may be off, as a part of the value. */
export const sketchError = 0.01;

/** Each bin reaches from one power of this to the next, so that its middle is at most `sketchError` off all of it. */
const growthFactor = (1 + sketchError) / (1 - sketchError);
const logOfFactor = Math.log(growthFactor);

/** Counts by the number of a bin. */
type Bins = Map<number, number>;

/**
 * Zeros, then the bins of positive and of negative values: the distance from the number before, and
 * the count, in turn.
 */
export type EncodedSketch = readonly [number, readonly number[], readonly number[]];

/**
 * How many values there were of each size: a percentile is then known with a relative error of 1 %,
 * and sketches of several times or devices add up to that of all, in any order (DDSketch, Masson et
 * al., VLDB 2019, without its collapsing of bins).
 */
export class Sketch {
  #zeros = 0;
  readonly #positive: Bins = new Map();
  readonly #negative: Bins = new Map();

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

  /**
   * The value that so many percent of all values, in order, are not above (nearest rank; 50 is the
   * median). Undefined where there are none.
   */
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

/** The value whose relative distance to the beginning of the bin equals that to its end. */
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

function decodeBins(encoded: readonly number[], bins: Bins): void {
  let bin = 0;
  for (let index = 0; index < encoded.length; index += 2) {
    bin += encoded[index] ?? 0;
    bins.set(bin, encoded[index + 1] ?? 0);
  }
}
