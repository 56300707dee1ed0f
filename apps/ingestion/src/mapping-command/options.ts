import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Shows, checks and tries mappings: descriptions of messages as data.

  npm run mapping -- list                              the mappings of brands
  npm run mapping -- show NAME                         one of them, as a template for your own
  npm run mapping -- check FILE                        says what is wrong in a file, and reads its examples
  npm run mapping -- try FILE|NAME --topic TOPIC --payload TEXT
                                                       shows the readings that a message becomes; nothing is stored

  --payload -          the payload is read from the standard input, as it is
`;

export type MappingCommand =
  | { command: 'help' | 'list' }
  | { command: 'show'; name: string }
  | { command: 'check'; file: string }
  | { command: 'try'; mapping: string; topic: string; payload: string };

/** @throws OperatorError for an unknown command, or one that lacks something */
export function parseCommand(args: string[]): MappingCommand {
  const { positionals, values } = parsed(args);
  const [command, subject] = positionals;
  if (values.help === true || command === undefined) return { command: 'help' };
  if (positionals.length > 2)
    throw new OperatorError(
      `${command} takes one name or file, not ${positionals.slice(1).join(' ')}`,
    );
  if (command === 'list') return { command };
  if (command !== 'show' && command !== 'check' && command !== 'try')
    throw new OperatorError(
      `there is no command ${command}; there are list, show, check and try (--help)`,
    );
  if (subject === undefined)
    throw new OperatorError(
      `${command} needs ${command === 'show' ? 'the name of a mapping' : 'a file'} (--help)`,
    );
  if (command === 'show') return { command, name: subject };
  if (command === 'check') return { command, file: subject };
  const { topic, payload } = values;
  if (topic === undefined || payload === undefined)
    throw new OperatorError('try needs --topic and --payload (--help)');
  return { command, mapping: subject, topic, payload };
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { topic: text, payload: text, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message.split('. ')[0]} (--help)`);
  }
}
