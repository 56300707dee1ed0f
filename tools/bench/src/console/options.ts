import { chooseParts, parseFlags, wholeNumber } from '../flags.ts';

export const consoleHelp = `  npm run bench -- console [options]

  --readings N         readings that are drawn (default 1000000)
  --repetitions N      drawings of each kind (default 9)
  --only LIST          of drawing, separated by commas (default all)
`;

const parts = ['drawing'] as const;
export type ConsolePart = (typeof parts)[number];

export interface ConsoleOptions {
  subject: 'console';
  readings: number;
  repetitions: number;
  only: readonly ConsolePart[];
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  readings: { ...text, default: '1000000' },
  repetitions: { ...text, default: '9' },
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
    only: chooseParts(values.only, parts),
    save: values.save,
  };
}
