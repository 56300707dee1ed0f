import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { knownDefects } from '../defects/index.ts';
import type { Plan } from '../plan.ts';

export const help = `Plays the whole system in one process, with a clock, a broker and a table of its own: devices and people use it, and
everything fails that can fail. What is there at the end is compared with what was acknowledged. A seed repeats all of it.

  npm run simulate -- [options]

  --seeds N      how many worlds are played (default 50)
  --first N      the first seed (default 1)
  --days N       of each world (default 30)
  --players N    processes that play at the same time (default 2)
  --twice        plays each seed twice, and compares the traces of events
  --story        tells what happened in each world, not only where something is wrong
  --shrink       leaves out faults, days, actors and steps of the first world that goes wrong, as long as it goes wrong in
                 the same way, and tells the short story
  --plays N      of one world at most, to shrink it (default 100)
  --plan JSON    plays this world in place of seeds; may be repeated
  --known        brings each known defect back, or that of --undo, and plays until a world goes wrong: prints a table
  --undo NAME    brings a known defect back: ${knownDefects.map(({ name }) => name).join(', ')}
`;

export interface Options {
  /** Of the worlds to play. */
  plans: readonly Plan[];
  players: number;
  twice: boolean;
  story: boolean;
  shrink: boolean;
  plays: number;
  undo: string | undefined;
  known: boolean;
}

/** @throws OperatorError that names the invalid option */
export function parseOptions(args: string[]): Options | 'help' {
  const { help: isHelp, undo, twice, story, shrink, known, plan, ...numbers } = parse(args);
  if (isHelp) return 'help';
  if (undo !== undefined && !knownDefects.some(({ name }) => name === undo)) {
    throw new OperatorError(`there is no known defect '${undo}' (--help lists them)`);
  }
  const first = positive('--first', numbers.first);
  const days = positive('--days', numbers.days);
  const seeds = positive('--seeds', numbers.seeds);
  const drawn = Array.from({ length: seeds }, (_, index) => ({ seed: first + index, days }));
  return {
    plans: plan?.map((given) => readPlan(given)) ?? drawn,
    players: positive('--players', numbers.players),
    plays: positive('--plays', numbers.plays),
    ...{ twice, story, shrink, undo, known },
  };
}

function parse(args: string[]) {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        ...{ seeds: number(50), first: number(1), days: number(30), players: number(2) },
        ...{ twice: flag, story: flag, help: flag, shrink: flag, known: flag },
        plays: number(100),
        ...{ undo: text, plan: { ...text, multiple: true } },
      },
    }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message} (--help lists the options)`);
  }
}

function positive(flag: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new OperatorError(`${flag} must be a whole number above 0, not '${value}'`);
}

/** @throws OperatorError where it is none */
function readPlan(given: string): Plan {
  try {
    const plan = JSON.parse(given) as Plan;
    if (Number.isInteger(plan.seed) && Number.isInteger(plan.days)) return plan;
  } catch (error) {
    throw new OperatorError(`--plan: ${(error as Error).message}`);
  }
  throw new OperatorError(`--plan: a plan has 'seed' and 'days', whole numbers`);
}
