import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { knownDefects } from '../defects/index.ts';

export const help = `Plays the whole system in one process, with a clock, a broker and a table of its own: devices and people use it, and
everything fails that can fail. What is there at the end is compared with what was acknowledged. A seed repeats all of it.

  npm run simulate -- [options]

  --seeds N      how many worlds are played (default 50)
  --first N      the first seed (default 1)
  --days N       of each world (default 30)
  --players N    processes that play at the same time (default 2)
  --twice        plays each seed twice, and compares the traces of events
  --story        tells what happened in each world, not only where something is wrong
  --undo NAME    brings a known defect back: ${knownDefects.map(({ name }) => name).join(', ')}
`;

export interface Options {
  seeds: number;
  first: number;
  days: number;
  players: number;
  twice: boolean;
  story: boolean;
  undo: string | undefined;
}

/** @throws OperatorError saying which option is wrong */
export function parseOptions(args: string[]): Options | 'help' {
  const { help: isHelp, undo, twice, story, ...numbers } = parse(args);
  if (isHelp) return 'help';
  if (undo !== undefined && !knownDefects.some(({ name }) => name === undo)) {
    throw new OperatorError(`there is no known defect '${undo}' (--help lists them)`);
  }
  return {
    seeds: positive('--seeds', numbers.seeds),
    first: positive('--first', numbers.first),
    days: positive('--days', numbers.days),
    players: positive('--players', numbers.players),
    ...{ twice, story, undo },
  };
}

function parse(args: string[]) {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args,
      options: {
        ...{ seeds: number(50), first: number(1), days: number(30), players: number(2) },
        ...{ twice: flag, story: flag, help: flag },
        undo: { type: 'string' },
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
