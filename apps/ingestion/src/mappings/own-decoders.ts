import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { topicFilter } from '../decoders/topic-filter.ts';
import { mappingDecoder } from './mapping-decoder.ts';
import { parseMappingFile } from './mapping-file.ts';
import type { DecoderChoice } from '../decoders/index.ts';

/** Each message is compared with topic filters until one matches. */
const maxFilters = 1000;

/** Files of mappings; a mounted ConfigMap has others, which begin with a dot. */
const mappingFile = /^[^.].*\.(ya?ml|json)$/;

/**
 * The decoders of the mappings in a folder, in the order of the names of the files.
 * @param selected the decoders of DECODERS
 * @throws OperatorError for files that are no mappings, and for a name that another decoder has
 */
export function ownDecoders(folder: string, selected: readonly DecoderChoice[]): DecoderChoice[] {
  const problems: string[] = [];
  const taken = new Map(selected.map(({ kind }) => [kind.name, 'a decoder of DECODERS']));
  const choices: DecoderChoice[] = [];
  for (const file of filesIn(folder)) {
    const parsed = parseMappingFile(file, readFileSync(file, 'utf8'));
    if ('problems' in parsed) {
      problems.push(...parsed.problems);
      continue;
    }
    const kind = mappingDecoder(parsed.mapping);
    const other = taken.get(kind.name);
    if (other !== undefined) problems.push(`${file}: the name ${kind.name} is that of ${other}`);
    taken.set(kind.name, file);
    // As filters of the user: a message that the mapping does not take becomes a dead letter.
    choices.push({ kind, filters: kind.defaultFilters.map((text) => topicFilter(text)) });
  }
  const filters = choices.flatMap((choice) => choice.filters);
  if (filters.length > maxFilters)
    problems.push(`the mappings have ${filters.length} topics, at most ${maxFilters} are read`);
  if (problems.length > 0)
    throw new OperatorError(
      [`MAPPINGS_DIR: correct the mappings in ${folder}`, ...problems].join('\n  '),
    );
  return choices;
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => mappingFile.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    throw new OperatorError(`MAPPINGS_DIR cannot be read: ${(error as Error).message}`);
  }
}
