import { nodeOptions, parseFlags, wholeNumber } from '../flags.ts';

export const growthHelp = `  npm run bench -- growth [options]

  --requests N         requests per access pattern and size (default 300)
  --large              up to ten million readings of 100,000 devices (takes some minutes more)
`;

export interface GrowthOptions {
  subject: 'growth';
  requests: number;
  large: boolean;
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

const text = { type: 'string' } as const;
const off = { type: 'boolean', default: false } as const;
const flags = {
  requests: { ...text, default: '300' },
  large: off,
  node: { ...text, default: '' },
  profile: text,
  save: off,
} as const;

/** @throws OperatorError for an invalid option */
export function parseGrowthOptions(args: string[]): GrowthOptions {
  const values = parseFlags(args, flags);
  return {
    subject: 'growth',
    requests: wholeNumber('--requests', values.requests, 1, 100_000),
    large: values.large,
    node: nodeOptions(values.node),
    profile: values.profile,
    save: values.save,
  };
}
