export interface EntityName {
  type: string;
  id: string;
}

/** When a request may have taken place (milliseconds of the world's clock). Without an answer, the end is infinite. */
export interface Span {
  from: number;
  to: number;
}

/** `unknown`: the request took place, takes place later, or never does. */
export type RequestOutcome = 'taken' | 'refused' | 'unknown';

export const relationNames = ['artist', 'featuring'] as const;
export type RelationName = (typeof relationNames)[number];
export const relationKey = (relation: RelationName, id: string): string => `${relation} ${id}`;
export const targetOf = (key: string) => key.split(' ') as [RelationName, string];

/** The content of an entity as its user has written it. */
export interface Content {
  attributes: Readonly<Record<string, unknown>>;
  /** Time of the latest write of each relation, by relation and id (`relationKey`). */
  relations: ReadonlyMap<string, Span>;
}

export type State = Content | undefined;

export interface Deletion extends Span {
  /** It was acknowledged. */
  isCertain: boolean;
  /**
   * Takes away the relations of others; otherwise it is refused where there are any, but for those
   * that the index does not show yet, which it takes away as well.
   */
  isDetaching: boolean;
}

/** A write of a score, or one that takes it away. */
export interface ScoreWrite {
  value: number | undefined;
  span: Span;
  /** It was acknowledged. */
  isCertain: boolean;
}

/** The possible states of an entity after all requests and responses. */
export interface Expected {
  name: EntityName;
  /** More than one where answers of writes are missing. */
  possible: State[];
  scores: ScoreWrite[];
  deletions: Deletion[];
  /** No writes before this time: a write without a response may still take place. */
  restsUntil: number;
}

/** Maximum lag of an index so far, in milliseconds. */
interface IndexDelays {
  readonly longestLagMs: number;
}

/** Records the possible states of each entity. */
export class EntitiesLedger {
  readonly #entities = new Map<string, Expected>();
  readonly #delays: IndexDelays;

  constructor(delays: IndexDelays) {
    this.#delays = delays;
  }

  /** Milliseconds until indexes show a write, at most. */
  get longestLagMs(): number {
    return this.#delays.longestLagMs;
  }

  add(name: EntityName): void {
    const scores = [{ value: undefined, span: { from: -1, to: -1 }, isCertain: true }];
    const expected = { name, possible: [undefined], scores, deletions: [], restsUntil: 0 };
    this.#entities.set(`${name.type}/${name.id}`, expected);
  }

  get entities(): Iterable<Expected> {
    return this.#entities.values();
  }

  of({ type, id }: EntityName): Expected {
    const expected = this.#entities.get(`${type}/${id}`);
    if (expected === undefined) throw new Error(`${type}/${id} is not one of the ledger`);
    return expected;
  }

  /** Applies a write to each possible state; `undefined` if the response shows that the state was not possible. */
  note(
    name: EntityName,
    outcome: RequestOutcome,
    change: (state: State) => { state: State } | undefined,
  ): void {
    const expected = this.of(name);
    const changed = expected.possible.flatMap((state) => {
      const result = change(state);
      return result === undefined ? [] : [result.state];
    });
    if (outcome === 'taken') expected.possible = changed;
    if (outcome === 'unknown') expected.possible = [...expected.possible, ...changed];
  }

  /** A score, or its end with the artist that has it, is about to be written; only artists have one. */
  beginScore(name: EntityName, value: number | undefined, from: number): ScoreWrite | undefined {
    if (name.type !== 'Artist') return undefined;
    const write = { value, span: { from, to: Infinity }, isCertain: false };
    this.of(name).scores.push(write);
    return write;
  }

  endScore(
    name: EntityName,
    write: ScoreWrite | undefined,
    { outcome, span }: { outcome: RequestOutcome; span: Span },
  ): void {
    if (write === undefined) return;
    const { scores } = this.of(name);
    write.span.to = span.to;
    write.isCertain = outcome === 'taken';
    if (outcome === 'refused') scores.splice(scores.indexOf(write), 1);
  }

  /** Requests without a response have taken place by now, or never will. */
  endUnknown({ possible, scores, deletions }: Expected, now: number): void {
    const spans = possible.flatMap((state) => [...(state?.relations.values() ?? [])]);
    for (const span of [...spans, ...scores.map((score) => score.span), ...deletions]) {
      if (span.to === Infinity) span.to = now;
    }
  }

  /** Whether it is there for certain, with writes that had no answer and without them. */
  isSurelyThere(name: EntityName): boolean {
    const { possible } = this.of(name);
    return possible.length > 0 && possible.every((state) => state !== undefined);
  }

  /** Whether nothing that was sent since can have deleted it. */
  isUntouchedSince(name: EntityName, time: number): boolean {
    return this.of(name).deletions.every(({ to }) => to < time);
  }
}
