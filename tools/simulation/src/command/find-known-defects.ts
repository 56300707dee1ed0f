import { knownDefects } from '../defects/index.ts';
import { PlayerProcess } from './player-process.ts';
import type { Plan } from '../plan.ts';
import type { Options } from './options.ts';

/** Maximum characters of a violation in the table. */
const maxShownLength = 160;

/** A run with a violation caused by a defect. */
interface Finding {
  /** Number of runs up to and including this one; `days` is the sum of their simulated days. */
  worlds: number;
  days: number;
  violation: string;
}

/**
 * Reintroduces each known defect, or only the defect of `--undo`, runs seeds until one has a
 * violation, and prints a table with the number of runs. The table is meaningful only if the same
 * seeds have no violation without the defect. Progress goes to stderr.
 * @returns the number of defects that no run found
 */
export async function findKnownDefects(
  { plans, players, undo }: Options,
  print: (line: string) => void,
): Promise<number> {
  const waiting = knownDefects.map(({ name }) => name).filter((name) => name === (undo ?? name));
  let missed = 0;
  print('| defect | worlds | simulated days | violation |');
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
      console.error(`${name}: not found in ${index + 1} of ${plans.length} worlds …`);
    }
    return undefined;
  } finally {
    player.end();
  }
}

function rowOf(name: string, finding: Finding | undefined, played: number): string {
  if (finding === undefined) return `| ${name} | not found in ${played} | | |`;
  const { worlds, days, violation } = finding;
  return `| ${name} | ${worlds} | ${days} | ${violation.slice(0, maxShownLength)} |`;
}
