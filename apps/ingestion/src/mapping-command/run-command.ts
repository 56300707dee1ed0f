import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { parseMapping } from '../mappings/parse-mapping.ts';
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
      print(JSON.stringify(shippedMapping(command.name), undefined, 2));
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

/** A shipped mapping by its name, or one in a file. */
function readMapping(name: string): MappingDocument {
  const shipped = shippedMappings.find(({ mapping }) => mapping === name);
  if (shipped !== undefined) return shipped;
  const parsed = parseMapping(jsonIn(name));
  if ('mapping' in parsed) return parsed.mapping;
  const problems = parsed.problems.map(({ path, message }) => `\n  ${path}: ${message}`);
  throw new OperatorError(`${name} is no mapping:${problems.join('')}`);
}

function shippedMapping(name: string): MappingDocument {
  const found = shippedMappings.find(({ mapping }) => mapping === name);
  if (found !== undefined) return found;
  throw new OperatorError(`there is no mapping ${name}; npm run mapping -- list shows them`);
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Reads the examples of a mapping. */
async function check(mapping: MappingDocument, print: Terminal['print']): Promise<void> {
  const examples = mapping.examples ?? [];
  for (const { topic, payload, readings } of examples) {
    const tried = await tryMapping(mapping, {
      topic,
      payload: Buffer.from(payload),
      receivedAt: 0,
    });
    const read = tried.readings.map(shownReading);
    const expected = readings.map(({ device, time, fields }) => ({
      device,
      ...(time && { time }),
      fields,
    }));
    const same = read.map((one, index) =>
      expected[index]?.time === undefined ? { device: one.device, fields: one.fields } : one,
    );
    if (!isDeepStrictEqual(same, expected)) {
      throw new OperatorError(
        `the example of ${topic} is read otherwise: ${JSON.stringify(same)}, not ${JSON.stringify(expected)}`,
      );
    }
  }
  print(`${mapping.mapping} is right, and so are its examples (${examples.length})`);
}

function show(tried: MappedMessage, topic: string, print: Terminal['print']): void {
  if (!tried.isMapped) throw new OperatorError(`no entry of the mapping has the topic ${topic}`);
  for (const reading of tried.readings) print(JSON.stringify(shownReading(reading)));
  if (tried.readings.length === 0 && tried.refusals.length === 0)
    print('the message has no reading');
  for (const { reason, detail } of tried.refusals) print(`refused (${reason}): ${detail}`);
}

/** As the query service shows it: numbers with all their digits. */
function shownReading({ device, time, fields }: MappedMessage['readings'][number]) {
  const plain = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
  return { device, time: new Date(time).toISOString(), fields: plain };
}
