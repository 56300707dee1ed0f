import { OperatorError } from '@engawa/errors';
import { hotHelp, parseHotOptions } from './hot/options.ts';
import { ingestionHelp, parseIngestionOptions } from './ingestion/options.ts';
import { parseQueryOptions, queryHelp } from './query/options.ts';
import type { HotOptions } from './hot/options.ts';
import type { IngestionOptions } from './ingestion/options.ts';
import type { QueryOptions } from './query/options.ts';

export const help = `Measures what Engawa costs beside what it could cost at least, in one run.

${ingestionHelp}
${queryHelp}
${hotHelp}
All take

  --node OPTIONS       options of Node for the service, by space, such as --max-semi-space-size=32
  --profile DIRECTORY  CPU profiles of the service are written there (its figures are then higher)
  --save               writes bench/results/<date>-<what>.md

  --help               this text
`;

export type Options = IngestionOptions | QueryOptions | HotOptions;

/** @throws OperatorError for what makes no sense */
export function parseOptions([subject, ...args]: string[]): Options | 'help' {
  if (subject === '--help' || args.includes('--help')) return 'help';
  if (subject === 'ingestion') return parseIngestionOptions(args);
  if (subject === 'query') return parseQueryOptions(args);
  if (subject === 'hot') return parseHotOptions(args);
  throw new OperatorError('say first what to measure: ingestion, query or hot (--help)');
}
