import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { catalogOptions } from '../load-command/options.ts';

export const help = `Exports types, entities and access patterns of a running catalog as a model file of NoSQL Workbench for DynamoDB, or imports one.

  npm run catalog:model -- export <file> [--sample 1000]
  npm run catalog:model -- import <file> [--dry-run]

  --sample   maximum number of entities of each type in the file
  --dry-run  prints the types and the left-out properties, and changes nothing

  CATALOG_URL      URL of the catalog (default http://127.0.0.1:4004)
  CATALOG_TOKEN    a token with the scope catalog:admin, if the catalog requires one
`;

export interface ModelOptions {
  command: 'export' | 'import';
  file: string;
  sample: number;
  isDryRun: boolean;
  /** The folder of relative paths. */
  from: string;
  url: string;
  token: string | undefined;
}

/** @throws OperatorError for invalid arguments */
export function parseModelOptions(
  args: string[],
  environment: NodeJS.ProcessEnv,
): ModelOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [command, file] = positionals;
  if ((command !== 'export' && command !== 'import') || file === undefined) {
    throw new OperatorError('give export or import, and a file (see --help)');
  }
  const sample = Number(values.sample);
  if (!Number.isInteger(sample) || sample < 0) {
    throw new OperatorError(`--sample must be a number of entities, not '${values.sample}'`);
  }
  return { command, file, sample, isDryRun: values['dry-run'], ...catalogOptions(environment) };
}

function parse(args: string[]) {
  try {
    const options = {
      help: { type: 'boolean', default: false },
      sample: { type: 'string', default: '1000' },
      'dry-run': { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new OperatorError(`${reason} (--help lists the options)`);
  }
}
