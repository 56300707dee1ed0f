import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Runs two replicas of ingestion under load, kills replicas at random, and restarts broker and table. Then verifies that
every reading whose message the broker acknowledged is stored once.

  npm run endurance -- [options]

  --broker NAME         mosquitto, embedded, or external (default mosquitto)
  --sharing NAME        partitions: plain subscriptions, each replica stores its part of the topics; group: a shared
                        subscription, for brokers that keep it over a restart (default partitions)
  --minutes N           duration of publishing (default 10)
  --readings N          minimum number of readings (default 300000)
  --seed N              repeats the choices of an earlier run
  --broker-url URL      URL of an external broker
  --broker-down COMMAND stops it gracefully, and returns when it has stopped
  --broker-up COMMAND   starts it, and returns when it listens

The embedded broker keeps sessions in memory, so it cuts all connections instead of restarting.
`;

const brokers = ['mosquitto', 'embedded', 'external'] as const;
const sharings = ['partitions', 'group'] as const;

export interface Options {
  broker: (typeof brokers)[number];
  sharing: (typeof sharings)[number];
  minutes: number;
  readings: number;
  seed: number;
  external: { url: string; down: string; up: string } | undefined;
}

/** @throws OperatorError that names the invalid option */
export function parseOptions(args: string[]): Options | 'help' {
  const text = { type: 'string' } as const;
  const values = parse(args, {
    broker: { ...text, default: 'mosquitto' },
    sharing: { ...text, default: 'partitions' },
    minutes: { ...text, default: '10' },
    readings: { ...text, default: '300000' },
    seed: { ...text, default: String(Date.now() % 1_000_000) },
    'broker-url': text,
    'broker-down': text,
    'broker-up': text,
    help: { type: 'boolean', default: false },
  });
  if (values.help === true) return 'help';
  const broker = oneOf('--broker', brokers, values.broker);
  return {
    broker,
    sharing: oneOf('--sharing', sharings, values.sharing),
    minutes: positive('--minutes', values.minutes),
    readings: positive('--readings', values.readings),
    seed: positive('--seed', values.seed),
    external: broker === 'external' ? externalOf(values) : undefined,
  };
}

interface ParsedArguments {
  broker?: string;
  sharing?: string;
  minutes?: string;
  readings?: string;
  seed?: string;
  'broker-url'?: string;
  'broker-down'?: string;
  'broker-up'?: string;
  help?: boolean;
}

function parse(args: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
  try {
    return parseArgs({ args, options }).values as ParsedArguments;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message} (--help lists the options)`);
  }
}

function externalOf(values: ParsedArguments): Options['external'] {
  const { 'broker-url': url, 'broker-down': down, 'broker-up': up } = values;
  if (url === undefined || down === undefined || up === undefined) {
    throw new OperatorError(
      '--broker external needs --broker-url, --broker-down and --broker-up (--help explains them)',
    );
  }
  return { url, down, up };
}

function oneOf<Name extends string>(flag: string, names: readonly Name[], value: unknown): Name {
  const name = names.find((candidate) => candidate === value);
  if (name !== undefined) return name;
  throw new OperatorError(`${flag} must be ${names.join(', ')}, not '${String(value)}'`);
}

function positive(flag: string, value: unknown): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new OperatorError(`${flag} must be a number above 0, not '${String(value)}'`);
}
