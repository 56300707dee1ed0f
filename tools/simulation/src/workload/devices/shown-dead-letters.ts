import { allPages } from '../../oracles/pages.ts';
import type { ShownDeadLetter } from '../../oracles/dead-letters-ledger.ts';
import type { ActorContext } from '../actor.ts';

const dayMs = 86_400_000;
/** Days ago: all dead letters of that time have expired, but may not be deleted yet. */
const goneDays = [15, 16];

/** The dead letters of each day from one time on (epoch milliseconds), as ingestion lists them. */
export async function shownDeadLetters(
  context: ActorContext,
  since: number,
): Promise<ShownDeadLetter[]> {
  const shown: ShownDeadLetter[] = [];
  for (let time = since; time < context.wallClock() + dayMs; time += dayMs) {
    shown.push(...(await lettersOf(context, time)));
  }
  // A dead letter that was written to two shards is listed twice (docs/adr/0034).
  return [...new Map(shown.map((deadLetter) => [deadLetter.id, deadLetter])).values()];
}

/** @returns what is listed although it has expired, in words */
export async function expiredDeadLetters(context: ActorContext): Promise<string[]> {
  const violations: string[] = [];
  for (const days of goneDays) {
    const time = context.wallClock() - days * dayMs;
    const left = await lettersOf(context, time);
    if (left.length > 0)
      violations.push(`${left.length} dead letters of ${dayOf(time)} have expired`);
  }
  return violations;
}

async function lettersOf(context: ActorContext, time: number): Promise<ShownDeadLetter[]> {
  const path = `/v1/deadLetters?day=${dayOf(time)}`;
  const list = { service: 'ingestion', path, limit: { from: 5, to: 100 } } as const;
  return (await allPages<ShownDeadLetter>(context, list)) ?? [];
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
