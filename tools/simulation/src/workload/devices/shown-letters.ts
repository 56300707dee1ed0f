import { allPages } from '../../oracles/pages.ts';
import type { ShownLetter } from '../../oracles/dead-letters-ledger.ts';
import type { Stage } from '../actor.ts';

const dayMs = 86_400_000;

/** The dead letters of each day from one time on (epoch milliseconds), as ingestion lists them. */
export async function shownLetters(stage: Stage, since: number): Promise<ShownLetter[]> {
  const shown: ShownLetter[] = [];
  for (let time = since; time < stage.wallClock() + dayMs; time += dayMs) {
    const day = new Date(time).toISOString().slice(0, 10);
    const path = `/v1/deadLetters?day=${day}`;
    const list = { service: 'ingestion', path, limit: { from: 5, to: 100 } } as const;
    shown.push(...((await allPages<ShownLetter>(stage, list)) ?? []));
  }
  // A letter that was written to two shards is listed twice (docs/adr/0034).
  return [...new Map(shown.map((letter) => [letter.id, letter])).values()];
}
