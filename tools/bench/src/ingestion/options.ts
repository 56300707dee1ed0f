import { OperatorError } from '@engawa/errors';
import { chooseParts, nodeOptions, parseFlags, wholeNumber } from '../flags.ts';

export const ingestionHelp = `  npm run bench -- ingestion [options]

  --messages N         messages per measured portion, a multiple of 1000 (default 60000)
  --repetitions N      runs of baseline and service, alternating (default 3)
  --minutes N          maximum duration of each memory measurement (default 1; 0 skips memory)
  --backlog LIST       backlog at the broker in megabytes during memory measurements, separated by
                       commas (default 64; 1024 needs as much memory in the broker)
  --linger-scale N     speed of "10 s at 1 Hz" (default 100); from 30 on it covers an hour of
                       readings, below it takes two minutes
  --broker NAME        embedded or mosquitto (default embedded)
  --seconds N          duration with one throttled device, and before without (default 60)
  --only LIST          of cpu, replicas, units, memory, isolation, separated by commas (default all)
`;

const parts = ['cpu', 'replicas', 'units', 'memory', 'isolation'] as const;
export type IngestionPart = (typeof parts)[number];

export interface IngestionOptions {
  subject: 'ingestion';
  messages: number;
  repetitions: number;
  minutes: number;
  /** Megabytes of payload. */
  backlogs: readonly number[];
  seconds: number;
  lingerScale: number;
  broker: 'embedded' | 'mosquitto';
  only: readonly IngestionPart[];
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  messages: { ...text, default: '60000' },
  repetitions: { ...text, default: '3' },
  minutes: { ...text, default: '1' },
  backlog: { ...text, default: '64' },
  seconds: { ...text, default: '60' },
  'linger-scale': { ...text, default: '100' },
  broker: { ...text, default: 'embedded' },
  only: { ...text, default: parts.join(',') },
  node: { ...text, default: '' },
  profile: text,
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parseIngestionOptions(args: string[]): IngestionOptions {
  const values = parseFlags(args, flags);
  const messages = wholeNumber('--messages', values.messages, 1000, 10_000_000);
  if (messages % 1000 !== 0) throw new OperatorError('--messages must be in thousands');
  return {
    subject: 'ingestion',
    messages,
    repetitions: wholeNumber('--repetitions', values.repetitions, 1, 100),
    minutes: wholeNumber('--minutes', values.minutes, 0, 24 * 60),
    backlogs: values.backlog
      .split(',')
      .map((megabytes) => wholeNumber('--backlog', megabytes, 1, 4096)),
    seconds: wholeNumber('--seconds', values.seconds, 1, 3600),
    lingerScale: wholeNumber('--linger-scale', values['linger-scale'], 1, 100),
    broker: chooseBroker(values.broker),
    only: chooseParts(values.only, parts),
    node: nodeOptions(values.node),
    profile: values.profile,
    save: values.save,
  };
}

function chooseBroker(name: string): 'embedded' | 'mosquitto' {
  if (name === 'embedded' || name === 'mosquitto') return name;
  throw new OperatorError(`--broker must be embedded or mosquitto, not '${name}'`);
}
