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
  /** When it was read. */
  read: Span;
  /** Nothing is under way: what was deleted has to be gone from the relations of others. */
  isQuiet: boolean;
}

/** @returns the difference, in words; undefined if the found state is possible */
export function entityDifference(
  expected: Expected,
  found: FoundEntity,
  options: DifferenceOptions,
): string | undefined {
  const differences = expected.possible.map((state) => difference(state, found.state, options));
  if (!differences.includes(undefined)) {
    return `${differences.join('; or ') || 'no state is possible'}; found ${shown(found.state)}`;
  }
  if (found.state === undefined || isPossibleScore(expected, found.score, options.read)) return;
  return `the score ${found.score} was written over, or never written`;
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
    return state === found ? undefined : state ? 'it is missing' : 'it was deleted';
  }
  if (!isDeepStrictEqual(state.attributes, found.attributes)) {
    return `it should be ${JSON.stringify(state.attributes)}`;
  }
  return relationDifference(state, found, options);
}

function relationDifference(
  state: Content,
  found: Content,
  { ledger, read, isQuiet }: DifferenceOptions,
): string | undefined {
  for (const key of found.relations.keys()) {
    if (!state.relations.has(key)) return `it was never related (${key})`;
  }
  for (const [key, named] of state.relations) {
    const [, id] = targetOf(key);
    const { deletions } = ledger.of({ type: 'Artist', id });
    const shownAt = Math.min(read.to, named.to + ledger.longestLagMs);
    const mayBeGone = deletions.some(
      ({ from, to, isDetaching }) => to > named.from && from < (isDetaching ? read.to : shownAt),
    );
    const isThere = found.relations.has(key);
    if (!isThere && !mayBeGone) return `a relation is lost (${key})`;
    const mustBeGone = deletions.some(({ from, isCertain }) => isCertain && from > named.to);
    if (isThere && mustBeGone && isQuiet) return `it relates to what was deleted (${key})`;
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
