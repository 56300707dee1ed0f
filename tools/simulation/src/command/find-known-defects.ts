import { knownDefects } from '../defects/index.ts';
import { PlayerProcess } from './player-process.ts';
import type { Plan } from '../plan.ts';
import type { Options } from './options.ts';

/** Characters of a violation that the table has. */
const maxShownLength = 160;

/** A world that goes wrong with a defect. */
interface Finding {
  /** Worlds that were played, with this one, and their days. */
  worlds: number;
  days: number;
  violation: string;
}

/**
 * Brings each known defect back, or that of `--undo`, plays worlds until one goes wrong, and prints
 * a table of how many it takes. The worlds have to go well without the defect, or the table says
 * nothing. How far it is goes to stderr.
 *
 * @returns how many defects no world shows
 */
export async function findKnownDefects(
  { plans, players, undo }: Options,
  print: (line: string) => void,
): Promise<number> {
  const waiting = knownDefects.map(({ name }) => name).filter((name) => name === (undo ?? name));
  let missed = 0;
  print('| defect | worlds | simulated days | what is wrong |');
  print('| --- | --- | --- | --- |');
  const findOn = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const finding = await find(name, plans);
      if (finding === undefined) missed += 1;
      print(rowOf(name, finding, plans.length));
    }
  };
  await Promise.all(Array.from({ length: players }, findOn));
  return missed;
}

async function find(name: string, plans: readonly Plan[]): Promise<Finding | undefined> {
  const player = new PlayerProcess(name);
  let days = 0;
  try {
    for (const [index, plan] of plans.entries()) {
      const { violations, played } = await player.play(plan);
      days += played.days;
      const [violation] = violations;
      if (violation !== undefined) return { worlds: index + 1, days, violation };
      console.error(`${name}: not in ${index + 1} of ${plans.length} worlds …`);
    }
    return undefined;
  } finally {
    player.end();
  }
}

function rowOf(name: string, finding: Finding | undefined, played: number): string {
  if (finding === undefined) return `| ${name} | not in ${played} | | |`;
  const { worlds, days, violation } = finding;
  return `| ${name} | ${worlds} | ${days} | ${violation.slice(0, maxShownLength)} |`;
}
