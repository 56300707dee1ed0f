import { allPages } from '../../oracles/pages.ts';
import type { ListedDeadLetter } from '../../oracles/dead-letters-ledger.ts';
import type { ActorContext } from '../actor.ts';

const dayMs = 86_400_000;
/** Days ago of which all dead letters have expired, although they may not be deleted. */
const goneDays = [15, 16];

/** The dead letters of all days from a time on (epoch milliseconds), as ingestion lists them. */
export async function listedDeadLetters(
  context: ActorContext,
  since: number,
): Promise<ListedDeadLetter[]> {
  const shown: ListedDeadLetter[] = [];
  for (let time = since; time < context.wallClock() + dayMs; time += dayMs) {
    shown.push(...(await deadLettersOf(context, time)));
  }
  return shown;
}

/** @returns a sentence for each day with expired dead letters that are listed */
export async function expiredDeadLetters(context: ActorContext): Promise<string[]> {
  const violations: string[] = [];
  for (const days of goneDays) {
    const time = context.wallClock() - days * dayMs;
    const left = await deadLettersOf(context, time);
    if (left.length > 0)
      violations.push(`${left.length} expired dead letters of ${dayOf(time)} are listed`);
  }
  return violations;
}

async function deadLettersOf(context: ActorContext, time: number): Promise<ListedDeadLetter[]> {
  const path = `/v1/deadLetters?day=${dayOf(time)}`;
  const list = { service: 'ingestion', path, limit: { from: 5, to: 100 } } as const;
  return (await allPages<ListedDeadLetter>(context, list)) ?? [];
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
