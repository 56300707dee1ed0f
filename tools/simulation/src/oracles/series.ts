/** Values by field, with at most three decimals. */
export type FieldValues = Readonly<Record<string, number>>;

export interface SeriesReading {
  /** Epoch milliseconds, unique among the stored readings of a device. */
  time: number;
  values: FieldValues;
}

/** A correction of readings in a range; the range of a reset is one millisecond. */
export interface AppliedCorrection {
  id: string;
  operation: 'delete' | 'ignore' | 'replace' | 'reset';
  from: number;
  to: number;
  fields?: readonly string[];
  readings?: readonly SeriesReading[];
  isUndone: boolean;
}

/** The readings of a device from its creation to its deletion, with their corrections. */
export class Series {
  readonly #stored = new Map<number, FieldValues>();
  /** Corrections in the order of creation. */
  readonly corrections: AppliedCorrection[] = [];

  note({ time, values }: SeriesReading): void {
    this.#stored.set(time, values);
  }

  has(time: number): boolean {
    return this.#stored.has(time);
  }

  get times(): number[] {
    return [...this.#stored.keys()].toSorted((one, other) => one - other);
  }

  /** Corrected readings as query lists them, in order of time. */
  get shown(): SeriesReading[] {
    return this.#corrected(['delete', 'replace']);
  }

  /** Corrected readings as query aggregates them. */
  get counted(): SeriesReading[] {
    return this.#corrected(['delete', 'replace', 'ignore']);
  }

  /** Whether a correction resets a counter after `after`, and not later than `until`. */
  isReset(field: string, after: number, until: number): boolean {
    return this.#active.some(
      ({ operation, from, fields }) =>
        operation === 'reset' &&
        from > after &&
        from <= until &&
        (fields === undefined || fields.includes(field)),
    );
  }

  get #active(): AppliedCorrection[] {
    return this.corrections.filter(({ isUndone }) => !isUndone);
  }

  #corrected(operations: readonly string[]): SeriesReading[] {
    const hiding = this.#active.filter(({ operation }) => operations.includes(operation));
    const stored = [...this.#stored].map(([time, values]) => ({ time, values }));
    const replaced = hiding.flatMap(({ readings = [] }, index) =>
      readings.map((reading) => visible(reading, hiding.slice(index + 1))),
    );
    return [...stored.map((reading) => visible(reading, hiding)), ...replaced]
      .filter(({ values }) => Object.keys(values).length > 0)
      .toSorted((one, other) => one.time - other.time);
  }
}

/** The fields of a reading that remain after its corrections. */
function visible(
  { time, values }: SeriesReading,
  hiding: readonly AppliedCorrection[],
): SeriesReading {
  const there = hiding.filter(({ from, to }) => from <= time && time < to);
  const isHidden = (name: string) =>
    there.some(({ fields }) => fields === undefined || fields.includes(name));
  const left = Object.entries(values).filter(([name]) => !isHidden(name));
  return { time, values: Object.fromEntries(left) };
}
