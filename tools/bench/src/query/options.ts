import { chooseParts, nodeOptions, parseFlags, wholeNumber } from '../flags.ts';

export const queryHelp = `  npm run bench -- query [options]

  --requests N         requests for latest readings per measured run (default 2000)
  --repetitions N      runs of latest, and new devices of month (default 3)
  --only LIST          of latest, month, sizes, separated by commas (default all)
`;

const parts = ['latest', 'month', 'sizes'] as const;
export type QueryPart = (typeof parts)[number];

export interface QueryOptions {
  subject: 'query';
  requests: number;
  repetitions: number;
  only: readonly QueryPart[];
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  requests: { ...text, default: '2000' },
  repetitions: { ...text, default: '3' },
  only: { ...text, default: parts.join(',') },
  node: { ...text, default: '' },
  profile: text,
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parseQueryOptions(args: string[]): QueryOptions {
  const values = parseFlags(args, flags);
  return {
    subject: 'query',
    // Of fewer than a hundred, the 99th percentile is the largest.
    requests: wholeNumber('--requests', values.requests, 100, 1_000_000),
    repetitions: wholeNumber('--repetitions', values.repetitions, 1, 100),
    only: chooseParts(values.only, parts),
    node: nodeOptions(values.node),
    profile: values.profile,
    save: values.save,
  };
}
