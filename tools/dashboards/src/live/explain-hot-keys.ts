import { setTimeout as sleep } from 'node:timers/promises';
import { dashboards } from '../dashboards/index.ts';
import { askInfinity } from './ask-infinity.ts';
import { readModel } from './dashboard-model.ts';
import type { SelectedRow } from './json-selection.ts';
import type { LiveStack } from './live-stack.ts';
import type { TargetModel } from './dashboard-model.ts';

const pollIntervalMs = 2000;

/** The query of the panel “Hot keys, explained”. */
export function explanationQuery(): TargetModel {
  const panels = dashboards().flatMap(({ model }) => readModel(model).panels);
  const [target] = panels.find(({ title }) => title === 'Hot keys, explained')?.targets ?? [];
  if (target === undefined) throw new Error('there is no panel that explains hot keys');
  return target;
}

/** The rows of that panel now. */
export function explainHotKeys({ urls }: LiveStack): Promise<SelectedRow[]> {
  return askInfinity(explanationQuery(), { baseUrl: urls.query, fill: (text) => text });
}

/** Polls the rows until `signal` aborts. @returns the longest list: when a session ends, no key is hot any more */
export async function longestExplanation(
  stack: LiveStack,
  signal: AbortSignal,
): Promise<{ rows: SelectedRow[]; at: Date }> {
  let longest = { rows: [] as SelectedRow[], at: new Date() };
  while (!signal.aborted) {
    // A poll may fail while the session makes the table fail.
    const rows = await explainHotKeys(stack).catch(() => []);
    if (rows.length > longest.rows.length) longest = { rows, at: new Date() };
    await sleep(pollIntervalMs);
  }
  return longest;
}
