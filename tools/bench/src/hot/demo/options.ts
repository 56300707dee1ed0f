import { parseFlags, wholeNumber } from '../../flags.ts';

export const help = `Hot partitions in about a minute: throttling, detection, mitigation, recovery.

  npm run demo:hot -- [options]

  --no-mitigation  the same with SHARD_GROWTH=off: no key gets more shards, and the rate does not recover
  --timeout N      seconds that each step may take (default 90)
  --help           this text

It uses free ports of this machine and keeps no data.
`;

export interface DemoOptions {
  mitigation: boolean;
  timeoutMs: number;
  help: boolean;
}

/** @throws OperatorError for an unknown option or a value out of range */
export function parseDemoOptions(args: string[]): DemoOptions {
  const { mitigation, timeout, help } = parseFlags(args, {
    mitigation: { type: 'boolean', default: true },
    timeout: { type: 'string', default: '90' },
    help: { type: 'boolean', default: false },
  });
  return { mitigation, help, timeoutMs: 1000 * wholeNumber('--timeout', timeout, 1, 9999) };
}
