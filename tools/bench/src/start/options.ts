import { chooseParts, nodeOptions, parseFlags, wholeNumber } from '../flags.ts';

export const startHelp = `  npm run bench -- start [options]

  --repetitions N      starts of each process (default 5)
  --only LIST          of image, sources, local, separated by commas (default all)
`;

const parts = ['image', 'sources', 'local'] as const;
export type StartPart = (typeof parts)[number];

export interface StartOptions {
  subject: 'start';
  repetitions: number;
  only: readonly StartPart[];
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  repetitions: { ...text, default: '5' },
  only: { ...text, default: parts.join(',') },
  node: { ...text, default: '' },
  profile: text,
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parseStartOptions(args: string[]): StartOptions {
  const values = parseFlags(args, flags);
  return {
    subject: 'start',
    repetitions: wholeNumber('--repetitions', values.repetitions, 1, 100),
    only: chooseParts(values.only, parts),
    node: nodeOptions(values.node),
    profile: values.profile,
    save: values.save,
  };
}
