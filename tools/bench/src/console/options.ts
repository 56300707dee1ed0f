import { chooseParts, parseFlags, wholeNumber } from '../flags.ts';

export const consoleHelp = `  npm run bench -- console [options]

  --readings N         readings that are drawn (default 1000000)
  --repetitions N      first pages, and drawings of each kind (default 9)
  --samples N          readings whose way to the pixel is measured (default 1000)
  --minutes N          minutes for which pages stay open (default 60)
  --only LIST          of drawing, heat, page, latency, memory, separated by commas (default all)
`;

const parts = ['drawing', 'heat', 'page', 'latency', 'memory'] as const;
export type ConsolePart = (typeof parts)[number];

export interface ConsoleOptions {
  subject: 'console';
  readings: number;
  repetitions: number;
  samples: number;
  minutes: number;
  only: readonly ConsolePart[];
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  readings: { ...text, default: '1000000' },
  repetitions: { ...text, default: '9' },
  samples: { ...text, default: '1000' },
  minutes: { ...text, default: '60' },
  only: { ...text, default: parts.join(',') },
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parseConsoleOptions(args: string[]): ConsoleOptions {
  const values = parseFlags(args, flags);
  return {
    subject: 'console',
    readings: wholeNumber('--readings', values.readings, 1000, 10_000_000),
    repetitions: wholeNumber('--repetitions', values.repetitions, 1, 100),
    samples: wholeNumber('--samples', values.samples, 10, 100_000),
    minutes: wholeNumber('--minutes', values.minutes, 2, 1440),
    only: chooseParts(values.only, parts),
    save: values.save,
  };
}
