import type { FieldValue } from '@engawa/model';

/** A value that lasts until the next one; null is none: the value is then unknown. */
export type StateValue = Exclude<FieldValue, null>;

/** A value, and the text by which it is the same as another one: numbers are stored in one spelling. */
export interface State {
  key: string;
  value: StateValue;
}

export interface StateDuration {
  value: StateValue;
  ms: number;
}

/** Characters of a text; a longer one is among the other states, so that a response has a limit. */
const maxTextLength = 256;

/** How long a field had each value in a bucket, in milliseconds. */
export class FieldStates {
  /** By the key of the state, in the order in which they began. */
  readonly #durations = new Map<string, StateDuration>();
  readonly #maxStates: number;
  /** Of states beyond the maximum, and of long texts. */
  otherMs = 0;
  /** How many times a known value was followed by a different one. */
  changes = 0;

  /** @param maxStates the first states are counted by themselves, all further ones together */
  constructor(maxStates: number) {
    this.#maxStates = maxStates;
  }

  add({ key, value }: State, ms: number): void {
    if (ms <= 0) return;
    const known = this.#durations.get(key);
    if (known !== undefined) known.ms += ms;
    else if (this.#durations.size >= this.#maxStates || isLong(value)) this.otherMs += ms;
    else this.#durations.set(key, { value, ms });
  }

  /** Adds the states of another device, or of a later time. */
  merge(other: FieldStates): void {
    for (const [key, { value, ms }] of other.#durations) this.add({ key, value }, ms);
    this.otherMs += other.otherMs;
    this.changes += other.changes;
  }

  /** Number of states that are counted by themselves. */
  get size(): number {
    return this.#durations.size;
  }

  /** The time of which the value is known. */
  get knownMs(): number {
    return this.#durations.values().reduce((sum, { ms }) => sum + ms, this.otherMs);
  }

  /** The longest first. */
  get durations(): StateDuration[] {
    const sorted = [...this.#durations].sort(
      ([leftKey, left], [rightKey, right]) => right.ms - left.ms || (leftKey < rightKey ? -1 : 1),
    );
    return sorted.map(([, duration]) => duration);
  }
}

export function stateOf(value: StateValue): State {
  return { key: JSON.stringify(value), value };
}

function isLong(value: StateValue): boolean {
  return typeof value === 'string' && value.length > maxTextLength;
}
