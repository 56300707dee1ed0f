import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Injects every fault of docs/reliability.md, and counts lost and duplicate messages.

  npm run test:faults -- [options] [file pattern]

  --seeds N         injects each fault with N seeds (default: once, with SEED or 1)
  --first N         the first seed (default 1)
  -t, --test NAME   only faults whose names contain NAME
  --help            this text
`;

export interface FaultOptions {
  /** Undefined: SEED of the environment. */
  seeds: (string | undefined)[];
  /** Further arguments of Jest. */
  jestArguments: string[];
}

/** @throws OperatorError that names the invalid option */
export function parseOptions(args: string[]): FaultOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const first = wholeNumber('--first', values.first);
  const pattern = values.test === undefined ? [] : ['-t', values.test];
  return { seeds: seedsOf(values.seeds, first), jestArguments: [...pattern, ...positionals] };
}

function seedsOf(count: string | undefined, first: number): (string | undefined)[] {
  if (count === undefined) return [undefined];
  const length = wholeNumber('--seeds', count);
  return Array.from({ length }, (_, index) => String(first + index));
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        seeds: { type: 'string' },
        first: { type: 'string', default: '1' },
        test: { type: 'string', short: 't' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new OperatorError(`${reason}; npm run test:faults -- --help lists the options`);
  }
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new OperatorError(`${name} must be a whole number above 0, not '${text}'`);
}
