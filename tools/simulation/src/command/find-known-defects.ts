import { knownDefects } from '../defects/index.ts';
import { PlayerProcess } from './player-process.ts';
import type { KnownDefect } from '../defects/index.ts';
import type { Plan } from '../plan.ts';
import type { Options } from './options.ts';

/**
 * Brings each known defect back, plays worlds until one goes wrong, and prints a table of how many it takes. The worlds themselves have to go
 * well without the defect, or the table says nothing.
 *
 * @returns how many defects no world shows
 */
export async function findKnownDefects(
  { plans, players, undo }: Options,
  print: (line: string) => void,
): Promise<number> {
  const waiting = knownDefects.filter(({ name }) => undo === undefined || name === undo);
  let missed = 0;
  print('| defect | seeds | simulated days | what is wrong |\n| --- | --- | --- | --- |');
  const findOn = async () => {
    for (let defect = waiting.shift(); defect !== undefined; defect = waiting.shift()) {
      const row = await find(defect, plans);
      if (row === undefined) missed += 1;
      print(`| ${defect.name} | ${row ?? `not in ${plans.length} | | `} |`);
    }
  };
  await Promise.all(Array.from({ length: players }, findOn));
  return missed;
}

async function find({ name }: KnownDefect, plans: readonly Plan[]): Promise<string | undefined> {
  const player = new PlayerProcess(name);
  let days = 0;
  try {
    for (const [index, plan] of plans.entries()) {
      const { violations, played } = await player.play(plan);
      days += played.days;
      if (violations[0] !== undefined) {
        return `${index + 1} | ${days} | ${violations[0].slice(0, shownLength)}`;
      }
    }
    return undefined;
  } finally {
    player.end();
  }
}

const shownLength = 160;
