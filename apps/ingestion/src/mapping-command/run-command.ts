import { readFileSync } from 'node:fs';
import { OperatorError } from '@engawa/errors';
import { stringify } from 'yaml';
import { checkExamples, shownReading } from '../mappings/check-examples.ts';
import { parseMappingFile } from '../mappings/mapping-file.ts';
import { shippedMappings } from '../mappings/shipped-mappings.ts';
import { tryMapping } from '../mappings/try-mapping.ts';
import { help } from './options.ts';
import type { MappingDocument } from '../mappings/mapping-document.ts';
import type { MappedMessage } from '../mappings/try-mapping.ts';
import type { MappingCommand } from './options.ts';

export interface Terminal {
  print: (line: string) => void;
  /** The standard input. */
  input: () => Uint8Array;
}

/** @throws OperatorError for a file or a mapping that is none, and for a message that is refused */
export async function runMappingCommand(
  command: MappingCommand,
  { print, input }: Terminal,
): Promise<void> {
  switch (command.command) {
    case 'help':
      print(help);
      return;
    case 'list':
      for (const { mapping, description } of shippedMappings)
        print(`${mapping.padEnd(18)} ${description ?? ''}`);
      return;
    case 'show':
      print(stringify(shippedMapping(command.name)));
      return;
    case 'check':
      await check(readMapping(command.file), print);
      return;
    case 'try': {
      const { mapping, topic, payload } = command;
      const bytes = payload === '-' ? input() : Buffer.from(payload);
      const message = { topic, payload: bytes, receivedAt: Date.now() };
      show(await tryMapping(readMapping(mapping), message), topic, print);
    }
  }
}

/** A mapping in a file, or a shipped one by its name. */
function readMapping(name: string): MappingDocument {
  const shipped = shippedMappings.find(({ mapping }) => mapping === name);
  if (shipped !== undefined) return shipped;
  const parsed = parseMappingFile(name, textIn(name));
  if ('mapping' in parsed) return parsed.mapping;
  throw new OperatorError(['the mapping has errors', ...parsed.problems].join('\n  '));
}

function shippedMapping(name: string): MappingDocument {
  const found = shippedMappings.find(({ mapping }) => mapping === name);
  if (found !== undefined) return found;
  throw new OperatorError(`there is no mapping ${name}; npm run mapping -- list shows them`);
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function check(mapping: MappingDocument, print: Terminal['print']): Promise<void> {
  const problems = await checkExamples(mapping);
  if (problems.length > 0) throw new OperatorError(problems.join('\n  '));
  const { length } = mapping.examples;
  print(`${mapping.mapping} is right, and so are its examples (${length})`);
}

function show(tried: MappedMessage, topic: string, print: Terminal['print']): void {
  if (!tried.isMapped) throw new OperatorError(`no entry of the mapping has the topic ${topic}`);
  for (const reading of tried.readings) print(JSON.stringify(shownReading(reading)));
  if (tried.readings.length === 0 && tried.refusals.length === 0)
    print('the message has no reading');
  for (const { reason, detail } of tried.refusals) print(`refused (${reason}): ${detail}`);
}
