import { setTimeout as sleep } from 'node:timers/promises';
import { artistType, comingAndGoing, trackType } from './types.ts';
import { send } from './client.ts';
import type { Report } from './report.ts';
import type { CatalogStack } from './catalog-stack.ts';

export interface DisturbanceOptions {
  stack: CatalogStack;
  report: Report;
  random: () => number;
  signal: AbortSignal;
}

/** Milliseconds between two changes of a type: a new search is built after 15 s, once all replicas know it. */
const typeChangeMs = 25_000;

/** Kills replicas at random, one at a time: each is ready again before the next one is killed. */
export async function kill(options: DisturbanceOptions & { everyMs: number }): Promise<void> {
  const { stack, report, random, signal, everyMs } = options;
  while (await waits(everyMs, signal)) {
    const replica = Math.floor(random() * stack.replicas);
    await stack.killReplica(replica);
    report.count('kills');
    await stack.startReplica(replica);
  }
}

/** Declares a search of both types, and removes it again. */
export async function changeTypes(options: DisturbanceOptions): Promise<void> {
  const { stack, report, random, signal } = options;
  for (let isThere = true; await waits(typeChangeMs, signal); isThere = !isThere) {
    for (const [name, type] of Object.entries({ Artist: artistType, Track: trackType })) {
      const searches = isThere ? [...type.searches, comingAndGoing] : type.searches;
      const url = stack.someUrl(random);
      const path = `/v1/types/${name}`;
      const answer = await send(url, { method: 'PUT', path, body: { ...type, searches } });
      report.count(`type ${answer.code}`);
    }
  }
}

/** @returns whether the time has passed; false if the signal aborted first */
async function waits(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
