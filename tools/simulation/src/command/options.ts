import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { knownDefects } from '../defects/index.ts';
import type { Plan } from '../plan.ts';

export const help = `Simulates the whole system in one process, with a virtual clock, broker and table: simulated devices and
users send requests while faults are injected, and the final state is compared with the acknowledged requests. Each run,
called a world, is reproducible from its seed.

  npm run simulate -- [options]

  --seeds N      number of worlds to simulate (default 50)
  --first N      the first seed (default 1)
  --days N       days of each world (default 30)
  --players N    number of concurrent processes (default 2)
  --twice        simulates each seed twice, and compares the event traces
  --story        prints the story (injected faults and requests) of every world, not only of failed ones
  --shrink       removes faults, days, actors and steps from the first failed world, as long as it has the same kind of
                 violation, and prints the shortened story
  --plays N      maximum number of simulations to shrink a world (default 100)
  --plan JSON    simulates the world of this plan instead of seeds; may be repeated
  --known        reintroduces each known defect, or only that of --undo, runs worlds until one fails, and prints a table
  --undo NAME    reintroduces a known defect: ${knownDefects.map(({ name }) => name).join(', ')}
`;

export interface Options {
  /** One plan per world. */
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
    throw new OperatorError(`unknown defect '${undo}' (--help lists all known defects)`);
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

/** @throws OperatorError for an invalid plan */
function readPlan(given: string): Plan {
  try {
    const plan = JSON.parse(given) as Plan;
    if (Number.isInteger(plan.seed) && Number.isInteger(plan.days)) return plan;
  } catch (error) {
    throw new OperatorError(`--plan: ${(error as Error).message}`);
  }
  throw new OperatorError(`--plan: 'seed' and 'days' must be whole numbers`);
}
