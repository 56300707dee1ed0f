import { isDeepStrictEqual } from 'node:util';
import { targetOf } from './entities-ledger.ts';
import type { Content, EntitiesLedger, Expected, Span, State } from './entities-ledger.ts';

/** An entity as the API returns it. */
export interface FoundEntity {
  state: State;
  score: number | undefined;
}

export interface DifferenceOptions {
  ledger: EntitiesLedger;
  /** The time of the read. */
  read: Span;
  /** Whether no work is pending, so that relations to deleted entities must have been removed. */
  isQuiet: boolean;
}

/** @returns a description of the difference; undefined if the found state is possible */
export function entityDifference(
  expected: Expected,
  found: FoundEntity,
  options: DifferenceOptions,
): string | undefined {
  const differences = expected.possible.map((state) => difference(state, found.state, options));
  if (!differences.includes(undefined)) {
    return `${differences.join('; or ') || 'no state is possible'}; the response has ${shown(found.state)}`;
  }
  if (found.state === undefined || isPossibleScore(expected, found.score, options.read)) return;
  return `the score ${found.score} was replaced, or never written`;
}

/** The possible states that match the found one. */
export function statesBehind(
  { possible }: Expected,
  { state }: FoundEntity,
  options: DifferenceOptions,
): State[] {
  return possible.filter((one) => difference(one, state, options) === undefined);
}

function difference(state: State, found: State, options: DifferenceOptions): string | undefined {
  if (state === undefined || found === undefined) {
    return state === found ? undefined : state ? 'the entity is missing' : 'the entity was deleted';
  }
  if (!isDeepStrictEqual(state.attributes, found.attributes)) {
    return `expected ${JSON.stringify(state.attributes)}`;
  }
  return relationDifference(state, found, options);
}

function relationDifference(
  state: Content,
  found: Content,
  { ledger, read, isQuiet }: DifferenceOptions,
): string | undefined {
  for (const key of found.relations.keys()) {
    if (!state.relations.has(key)) return `the relation was never written (${key})`;
  }
  for (const [key, named] of state.relations) {
    const [, id] = targetOf(key);
    const { deletions } = ledger.of({ type: 'Artist', id });
    const shownAt = Math.min(read.to, named.to + ledger.maxLagMs);
    const mayBeGone = deletions.some(
      ({ from, to, isDetaching }) => to > named.from && from < (isDetaching ? read.to : shownAt),
    );
    const isFound = found.relations.has(key);
    if (!isFound && !mayBeGone) return `a relation is lost (${key})`;
    const mustBeGone = deletions.some(({ from, isCertain }) => isCertain && from > named.to);
    if (isFound && mustBeGone && isQuiet) return `a relation to a deleted entity remains (${key})`;
  }
  return undefined;
}

/** Whether the value was written, and no later write has certainly replaced it. */
function isPossibleScore({ scores }: Expected, score: number | undefined, read: Span): boolean {
  return scores.some(({ value, span }) => {
    if (value !== score || span.from > read.to) return false;
    return !scores.some((later) => {
      return later.isCertain && later.span.from > span.to && later.span.to < read.from;
    });
  });
}

function shown(state: State): string {
  if (state === undefined) return 'nothing';
  const relations = [...state.relations.keys()].join(', ') || 'no relation';
  return `${JSON.stringify(state.attributes)} with ${relations}`;
}
