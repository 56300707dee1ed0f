import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Runs two replicas of the catalog under random operations of several writers, with transactions that take 4 to 20 ms and
conflict. Kills a replica every 4 s, changes types, and compares the stored data with the acknowledged writes.

  npm run fuzz:catalog -- [options]

  --minutes N    duration of writing, in rounds of a minute, each with a comparison (default 10)
  --writers N    concurrent writers (default 8)
  --kill-every N seconds between two kills (default 4)
  --seed N       repeats the choices of an earlier run, but not the timing of processes
`;

export interface Options {
  minutes: number;
  writers: number;
  killEverySeconds: number;
  seed: number;
}

/** @throws OperatorError that names the invalid option */
export function parseOptions(args: string[]): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  return {
    minutes: positive('--minutes', values.minutes),
    writers: positive('--writers', values.writers),
    killEverySeconds: positive('--kill-every', values['kill-every']),
    seed: positive('--seed', values.seed),
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        minutes: { ...text, default: '10' },
        writers: { ...text, default: '8' },
        'kill-every': { ...text, default: '4' },
        seed: { ...text, default: String((Date.now() % 1_000_000) + 1) },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message} (--help lists the options)`);
  }
}

function positive(flag: string, value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new OperatorError(`${flag} must be a number above 0, not '${value}'`);
}
