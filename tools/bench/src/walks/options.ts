import { resolve } from 'node:path';
import { nodeOptions, parseFlags, wholeNumber } from '../flags.ts';

export const walksHelp = `  npm run bench -- walks [options]

  --repetitions N      walks of each kind (default 5)
  --checkout DIRECTORY the sources and services of another checkout, with packages installed (default this one)
`;

export interface WalksOptions {
  subject: 'walks';
  repetitions: number;
  /** The folder of another checkout. */
  checkout: string | undefined;
  node: readonly string[];
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  repetitions: { ...text, default: '5' },
  checkout: text,
  node: { ...text, default: '' },
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parseWalksOptions(args: string[]): WalksOptions {
  const { repetitions, checkout, node, save } = parseFlags(args, flags);
  return {
    subject: 'walks',
    repetitions: wholeNumber('--repetitions', repetitions, 1, 100),
    checkout: checkout === undefined ? undefined : resolve(checkout),
    node: nodeOptions(node),
    save,
  };
}
