import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Measures what Engawa costs beside what it could cost at least, in one run.

  npm run bench -- ingestion [options]

  --messages N         messages of each measured portion (default 60000, in thousands)
  --repetitions N      floor and subject alternate so many times (default 3)
  --minutes N          how long memory is watched (default 1; 0 leaves it out)
  --linger-scale N     "10 s at 1 Hz" played N times as fast (default 100); an hour of
                       readings from 30 on, with less two minutes by the clock
  --broker NAME        embedded or mosquitto (default embedded)
  --seconds N          how long one device is throttled, and as long before (default 60)
  --only LIST          of cpu, units, memory, isolation, by comma (default all)
  --node OPTIONS       options of Node for ingestion, by space, such as --max-semi-space-size=32
  --profile DIRECTORY  CPU profiles of ingestion are written there (its figures are then higher)
  --save               writes bench/results/<date>-ingestion.md

  --help               this text
`;

const parts = ['cpu', 'units', 'memory', 'isolation'] as const;
export type Part = (typeof parts)[number];

export interface Options {
  messages: number;
  repetitions: number;
  minutes: number;
  seconds: number;
  lingerScale: number;
  broker: 'embedded' | 'mosquitto';
  only: readonly Part[];
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

/** @throws OperatorError for what makes no sense */
export function parseOptions(args: string[]): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  if (positionals.length !== 1 || positionals[0] !== 'ingestion') {
    throw new OperatorError('say what to measure: ingestion is all there is (--help)');
  }
  const messages = wholeNumber('--messages', values.messages, 1000, 10_000_000);
  if (messages % 1000 !== 0) throw new OperatorError('--messages must be in thousands');
  return {
    messages,
    repetitions: wholeNumber('--repetitions', values.repetitions, 1, 100),
    minutes: wholeNumber('--minutes', values.minutes, 0, 24 * 60),
    seconds: wholeNumber('--seconds', values.seconds, 1, 3600),
    lingerScale: wholeNumber('--linger-scale', values['linger-scale'], 1, 100),
    broker: chooseBroker(values.broker),
    only: chooseParts(values.only),
    node: values.node.split(' ').filter((option) => option !== ''),
    profile: values.profile,
    save: values.save,
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        messages: { ...text, default: '60000' },
        repetitions: { ...text, default: '3' },
        minutes: { ...text, default: '1' },
        seconds: { ...text, default: '60' },
        'linger-scale': { ...text, default: '100' },
        broker: { ...text, default: 'embedded' },
        only: { ...text, default: parts.join(',') },
        node: { ...text, default: '' },
        profile: text,
        save: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${reason.split('. ')[0] ?? reason} (--help lists the options)`);
  }
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new OperatorError(`${flag} must be a whole number from ${min} to ${max}, not '${text}'`);
}

function chooseBroker(name: string): 'embedded' | 'mosquitto' {
  if (name === 'embedded' || name === 'mosquitto') return name;
  throw new OperatorError(`--broker must be embedded or mosquitto, not '${name}'`);
}

function chooseParts(list: string): Part[] {
  return list.split(',').map((name) => {
    const part = parts.find((candidate) => candidate === name);
    if (part !== undefined) return part;
    throw new OperatorError(`--only: there is no part '${name}'; there are ${parts.join(', ')}`);
  });
}
