import { OperatorError } from '@engawa/errors';
import { ingestionHelp, parseIngestionOptions } from './ingestion/options.ts';
import { parseQueryOptions, queryHelp } from './query/options.ts';
import type { IngestionOptions } from './ingestion/options.ts';
import type { QueryOptions } from './query/options.ts';

export const help = `Measures what Engawa costs beside what it could cost at least, in one run.

${ingestionHelp}
${queryHelp}
Both take

  --node OPTIONS       options of Node for the service, by space, such as --max-semi-space-size=32
  --profile DIRECTORY  CPU profiles of the service are written there (its figures are then higher)
  --save               writes bench/results/<date>-<what>.md

  --help               this text
`;

export type Options = IngestionOptions | QueryOptions;

/** @throws OperatorError for what makes no sense */
export function parseOptions([subject, ...args]: string[]): Options | 'help' {
  if (subject === '--help' || args.includes('--help')) return 'help';
  if (subject === 'ingestion') return parseIngestionOptions(args);
  if (subject === 'query') return parseQueryOptions(args);
  throw new OperatorError('say first what to measure: ingestion or query (--help)');
}
