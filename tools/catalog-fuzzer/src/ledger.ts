import { artistType, keyOf } from './types.ts';
import type { Span, State } from './content.ts';
import type { Name } from './types.ts';

/** A write or removal of a score. */
export interface ScoreWrite {
  value: number | undefined;
  span: Span;
}

export interface Deletion extends Span {
  /**
   * Removes relations of other entities; otherwise the deletion is rejected if there are any,
   * except concurrent ones.
   */
  isDetaching: boolean;
}

/** The possible states of an entity after all requests and responses. */
export interface Expected {
  name: Name;
  /** More than one if responses of writes are missing. */
  possible: State[];
  scores: ScoreWrite[];
  deletions: Deletion[];
}

export type Outcome = 'taken' | 'refused' | 'unknown';

/** Maximum number of states; above it the owner replaces the entity. */
const mostStates = 16;

export const hasScore = ({ type }: Name): boolean =>
  type === 'Artist' && artistType.rankings.length > 0;

/** Records the possible states of each entity. */
export class Ledger {
  readonly #entities = new Map<string, Expected>();

  constructor(names: readonly Name[]) {
    const nothing = { from: 0, to: 0 };
    for (const name of names) {
      const scores = [{ value: undefined, span: nothing }];
      this.#entities.set(keyOf(name), { name, possible: [undefined], scores, deletions: [] });
    }
  }

  get entities(): Iterable<Expected> {
    return this.#entities.values();
  }

  of(name: Name): Expected {
    const expected = this.#entities.get(keyOf(name));
    if (expected === undefined) throw new Error(`${keyOf(name)} is not one of the ledger`);
    return expected;
  }

  /** Applies a write to each possible state; `undefined` if the response shows that the state was not possible. */
  note(name: Name, outcome: Outcome, change: (state: State) => { state: State } | undefined): void {
    const expected = this.of(name);
    const changed = expected.possible.flatMap((state) => change(state) ?? []);
    const states = changed.map(({ state }) => state);
    if (outcome === 'taken') expected.possible = states;
    if (outcome === 'unknown') expected.possible = [...expected.possible, ...states];
  }

  isVague(name: Name): boolean {
    return this.of(name).possible.length > mostStates / 2;
  }

  /** Whether it exists in every possible state. */
  isSurelyThere(name: Name): boolean {
    const { possible } = this.of(name);
    return possible.length > 0 && possible.every((state) => state !== undefined);
  }

  /** Whether no later request can have deleted it. */
  isUntouchedSince(name: Name, time: number): boolean {
    return this.of(name).deletions.every((deletion) => deletion.to < time);
  }

  /**
   * Replaces the possible states by the found one, when no request is in flight. Relations to
   * deleted entities are removed two minutes after the deletion.
   */
  adopt(name: Name, found: State, score: number | undefined, now: number): void {
    const expected = this.of(name);
    const span = { from: now, to: now };
    expected.possible = [
      found && {
        ...found,
        relations: new Map([...found.relations.keys()].map((key) => [key, span])),
      },
    ];
    expected.scores = [{ value: score, span }];
    const late = { from: now, to: Infinity, isDetaching: true };
    expected.deletions = found === undefined ? [late] : [];
  }
}
