export interface EntityName {
  type: string;
  id: string;
}

/** When a request may have taken effect (milliseconds of the world's time); `to` is infinite without a response. */
export interface Span {
  from: number;
  to: number;
}

/** `unknown`: without a response, the request may have taken effect, may later, or never will. */
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
   * Whether the deletion removes relations of other entities. Otherwise such relations reject it,
   * except those that a lagging index does not show, which are removed as well.
   */
  isDetaching: boolean;
}

/** A write or removal of a score. */
export interface ScoreWrite {
  value: number | undefined;
  span: Span;
  /** It was acknowledged. */
  isCertain: boolean;
}

/** The possible states of an entity after all requests and responses. */
export interface Expected {
  name: EntityName;
  /** Has several elements after writes without a response. */
  possible: State[];
  scores: ScoreWrite[];
  deletions: Deletion[];
  /** No writes before this time, since a write without a response may still take effect. */
  restsUntil: number;
}

/** Maximum lag of an index so far, in milliseconds. */
interface IndexDelays {
  readonly maxLagMs: number;
}

/** Records the possible states of each entity. */
export class EntitiesLedger {
  readonly #entities = new Map<string, Expected>();
  readonly #delays: IndexDelays;

  constructor(delays: IndexDelays) {
    this.#delays = delays;
  }

  /** Maximum milliseconds until indexes show a write. */
  get maxLagMs(): number {
    return this.#delays.maxLagMs;
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
    if (expected === undefined) throw new Error(`${type}/${id} is not in the ledger`);
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

  /** Notes the start of a request that writes or removes an artist's score; only artists have a score. */
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

  /** Ends the span of all requests without a response, which can no longer take effect. */
  endUnknown({ possible, scores, deletions }: Expected, now: number): void {
    const spans = possible.flatMap((state) => [...(state?.relations.values() ?? [])]);
    for (const span of [...spans, ...scores.map((score) => score.span), ...deletions]) {
      if (span.to === Infinity) span.to = now;
    }
  }

  /** Whether the entity exists, regardless of the effect of writes without a response. */
  isSurelyThere(name: EntityName): boolean {
    const { possible } = this.of(name);
    return possible.length > 0 && possible.every((state) => state !== undefined);
  }

  /** Whether no deletion can have taken effect since `time`. */
  isUntouchedSince(name: EntityName, time: number): boolean {
    return this.of(name).deletions.every(({ to }) => to < time);
  }
}
