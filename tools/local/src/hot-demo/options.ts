import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Hot partitions, shown in about a minute: what is throttled, what Engawa sees of it, and how it relieves it.

  npm run demo:hot -- [options]

  --no-relief      the same with SHARD_GROWTH=off: nothing gets more keys, and nothing comes back
  --patience N     seconds after which a step that does not come is a failure (default 90)
  --help           this text

It uses free ports of this machine and keeps nothing.
`;

export interface Options {
  relief: boolean;
  /** Seconds. */
  patience: number;
  help: boolean;
}

/** @throws OperatorError for an option that there is not */
export function parseOptions(args: string[]): Options {
  const { patience, ...values } = parse(args);
  if (!/^[1-9]\d{0,3}$/.test(patience)) {
    throw new OperatorError(`--patience must be a whole number of seconds, not "${patience}"`);
  }
  return { ...values, patience: Number(patience) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        relief: { type: 'boolean', default: true },
        patience: { type: 'string', default: '90' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new OperatorError(`${reason}; npm run demo:hot -- --help lists the options`);
  }
}
