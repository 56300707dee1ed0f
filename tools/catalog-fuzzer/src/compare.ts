import { targetOf } from './content.ts';
import type { Content, Span, State } from './content.ts';
import type { Expected, Ledger } from './ledger.ts';
import type { Name } from './types.ts';

/** An entity as the API returns it. */
export interface FoundEntity {
  state: State;
  score: number | undefined;
}

/** The stored data of all entities, by name. */
export type StoredEntities = Map<string, { name: Name } & FoundEntity>;

interface Options {
  ledger: Ledger;
  /** Times of the request and its response. */
  read: Span;
  /** No request is in flight: relations to deleted entities must be gone. */
  isQuiet: boolean;
}

/** @returns the difference, in words; undefined if the found state is possible */
export function compare(
  expected: Expected,
  found: FoundEntity,
  options: Options,
): string | undefined {
  const differences = expected.possible.map((state) => difference(state, found.state, options));
  if (!differences.includes(undefined)) {
    return `${differences.join('; or ') || 'no state is possible'}; found ${shown(found.state)}`;
  }
  if (found.state === undefined || isPossibleScore(expected, found.score, options.read)) return;
  return `the score ${found.score} was written over, or never written`;
}

function difference(state: State, found: State, options: Options): string | undefined {
  if (state === undefined || found === undefined) {
    return state === found ? undefined : state ? 'it is missing' : 'it was deleted';
  }
  if (state.name !== found.name || state.write !== found.write) {
    return `it should be of the write ${state.write}, named ${state.name}`;
  }
  return relationDifference(state, found, options);
}

function relationDifference(
  state: Content,
  found: Content,
  { ledger, read, isQuiet }: Options,
): string | undefined {
  for (const key of found.relations.keys()) {
    if (!state.relations.has(key)) return `it was never related (${key})`;
  }
  for (const [key, named] of state.relations) {
    const { deletions } = ledger.of({ type: 'Artist', id: targetOf(key).id });
    const mayBeGone = deletions.some(
      ({ from, to, isDetaching }) =>
        to > named.from && from < (isDetaching ? read.to : Math.min(read.to, named.to)),
    );
    const isThere = found.relations.has(key);
    if (!isThere && !mayBeGone) return `a relation is lost (${key})`;
    const mustBeGone = deletions.some(({ from, to }) => to !== Infinity && from > named.to);
    if (isThere && mustBeGone && isQuiet) return `it relates to a deleted entity (${key})`;
  }
  return undefined;
}

/** Whether the value was written, and no later write has certainly replaced it. */
function isPossibleScore({ scores }: Expected, score: number | undefined, read: Span): boolean {
  return scores.some(({ value, span }) => {
    if (value !== score || span.from > read.to) return false;
    return !scores.some((later) => later.span.from > span.to && later.span.to < read.from);
  });
}

function shown(state: State): string {
  if (state === undefined) return 'nothing';
  return `${state.name} of ${state.write} with ${[...state.relations.keys()].join(', ') || 'no relation'}`;
}
