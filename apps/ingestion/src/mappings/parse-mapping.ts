import { mappingDecoder } from './mapping-decoder.ts';
import { mappingDocument } from './mapping-document.ts';
import type { MappingDocument } from './mapping-document.ts';

/** What is wrong with a mapping, and where. */
export interface MappingProblem {
  /** Such as `messages[0].fields[2].from`. */
  path: string;
  message: string;
}

/** A mapping, or what is wrong with it. */
export type ParsedMapping = { mapping: MappingDocument } | { problems: MappingProblem[] };

/** Checks a mapping with all its paths and templates. @param value parsed YAML or JSON */
export function parseMapping(value: unknown): ParsedMapping {
  const { data, error } = mappingDocument.safeParse(value);
  if (error !== undefined) {
    const problems = error.issues.map(({ path, message }) => ({ path: pathText(path), message }));
    return { problems };
  }
  const problems = data.messages.flatMap((message, index) => {
    const one = { ...data, messages: [message] };
    const problem = problemOf(() => mappingDecoder(one));
    return problem === undefined ? [] : [{ path: `messages[${index}]`, message: problem }];
  });
  return problems.length > 0 ? { problems } : { mapping: data };
}

function problemOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
