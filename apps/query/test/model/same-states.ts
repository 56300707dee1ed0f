import { stateText } from './oracle-states.ts';
import { Literal } from './walk.ts';
import type { PlainStates } from './oracle-states.ts';
import type { ShownStates } from './walk.ts';

/** Throws where the states of a bucket are others than expected. */
export function sameStates(
  given: Readonly<Record<string, ShownStates>>,
  expected: ReadonlyMap<string, PlainStates>,
  functions: readonly string[],
): void {
  const known = [...expected].filter(
    ([, { changes, durations }]) => changes > 0 || durations.size > 0,
  );
  same(Object.keys(given).sort(), known.map(([name]) => name).sort());
  for (const [name, { changes, durations }] of known) {
    const states = given[name];
    if (states === undefined) continue;
    if (functions.includes('changes')) same(states.changes?.text, String(changes));
    if (functions.includes('duration')) sameDurations(states, durations);
    const total = [...durations.values()].reduce((sum, ms) => sum + ms, 0);
    if (functions.includes('share') && states.others === undefined) {
      for (const { value, share } of states.values) {
        same(Number(share?.text), (durations.get(keyOf(value)) ?? NaN) / total);
      }
    }
  }
}

/** The durations of a field in milliseconds, by value; all of `others` under the empty text. */
export function durationsOf({ values, others }: ShownStates): Map<string, number> {
  const all = values.map(({ value, duration }) => [keyOf(value), msOf(duration)] as const);
  return new Map(others === undefined ? all : [...all, ['', msOf(others.duration)]]);
}

function sameDurations(given: ShownStates, expected: PlainStates['durations']): void {
  const durations = durationsOf(given);
  const total = (all: ReadonlyMap<string, number>) =>
    [...all.values()].reduce((sum, ms) => sum + ms, 0);
  same(total(durations), total(expected));
  if (given.others === undefined) same([...durations].sort(), [...expected].sort());
  for (const [key, ms] of durations) {
    if (key !== '' && ms > (expected.get(key) ?? 0)) throw new Error(`${key} is too long: ${ms}`);
  }
}

function keyOf(value: unknown): string {
  return value instanceof Literal ? stateText(value.text) : JSON.stringify(value);
}

function msOf(seconds: Literal | undefined): number {
  return Math.round(Number(seconds?.text) * 1000);
}

function same(given: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(given), JSON.stringify(expected)];
  if (left !== right) throw new Error(`states ${left}\nexpected ${right}`);
}
