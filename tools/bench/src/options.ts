import { OperatorError } from '@engawa/errors';
import { consoleHelp, parseConsoleOptions } from './console/options.ts';
import { hotHelp, parseHotOptions } from './hot/options.ts';
import { ingestionHelp, parseIngestionOptions } from './ingestion/options.ts';
import { parsePeersOptions, peersHelp } from './peers/options.ts';
import { parseQueryOptions, queryHelp } from './query/options.ts';
import { parseStartOptions, startHelp } from './start/options.ts';
import { parseWalksOptions, walksHelp } from './walks/options.ts';
import type { ConsoleOptions } from './console/options.ts';
import type { HotOptions } from './hot/options.ts';
import type { IngestionOptions } from './ingestion/options.ts';
import type { PeersOptions } from './peers/options.ts';
import type { QueryOptions } from './query/options.ts';
import type { StartOptions } from './start/options.ts';
import type { WalksOptions } from './walks/options.ts';

export const help = `Measures Engawa's cost, compared with a bare-SDK baseline from the same run.

${ingestionHelp}
${queryHelp}
${hotHelp}
${peersHelp}
${startHelp}
${consoleHelp}
${walksHelp}
Options of all:

  --node OPTIONS       Node options of the service, separated by spaces, such as --max-semi-space-size=32
  --profile DIRECTORY  write CPU profiles of the service there (profiling raises its figures)
  --save               write bench/results/<date>-<subject>.md

  --help               this text
`;

export type Options =
  | IngestionOptions
  | QueryOptions
  | HotOptions
  | PeersOptions
  | StartOptions
  | ConsoleOptions
  | WalksOptions;

/** @throws OperatorError for an invalid option */
export function parseOptions([subject, ...args]: string[]): Options | 'help' {
  if (subject === '--help' || args.includes('--help')) return 'help';
  if (subject === 'ingestion') return parseIngestionOptions(args);
  if (subject === 'query') return parseQueryOptions(args);
  if (subject === 'hot') return parseHotOptions(args);
  if (subject === 'peers') return parsePeersOptions(args);
  if (subject === 'start') return parseStartOptions(args);
  if (subject === 'console') return parseConsoleOptions(args);
  if (subject === 'walks') return parseWalksOptions(args);
  throw new OperatorError(
    'the first argument must be ingestion, query, hot, peers, start, console or walks (--help)',
  );
}
