/** Values of one series in order of time. Typed arrays: a million points take 16 MB, and no time to collect. */
export interface Points {
  /** Epoch milliseconds, ascending. */
  times: Float64Array;
  values: Float64Array;
  /** How many elements of the arrays are used. */
  length: number;
}

const firstCapacity = 1024;

/** Points that grow while readings arrive. */
export class PointBuffer implements Points {
  times = new Float64Array(firstCapacity);
  values = new Float64Array(firstCapacity);
  length = 0;

  add(time: number, value: number): void {
    if (this.length === this.times.length) this.#grow();
    this.times[this.length] = time;
    this.values[this.length] = value;
    this.length += 1;
  }

  #grow(): void {
    const { times, values } = this;
    this.times = new Float64Array(times.length * 2);
    this.values = new Float64Array(values.length * 2);
    this.times.set(times);
    this.values.set(values);
  }
}

export function pointsOf(pairs: readonly (readonly [time: number, value: number])[]): Points {
  const buffer = new PointBuffer();
  for (const [time, value] of pairs) buffer.add(time, value);
  return buffer;
}
