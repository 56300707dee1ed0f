import { InvalidPart } from './document-part.ts';
import { mappingDecoder } from './mapping-decoder.ts';
import { mappingDocument } from './mapping-document.ts';
import type { z } from 'zod';
import type { MappingDocument } from './mapping-document.ts';

/** What is wrong with a mapping, and where. */
export interface MappingProblem {
  /** Names and indexes, such as of `messages[0].fields[2].from`. */
  path: readonly PropertyKey[];
  message: string;
}

/** A mapping, or what is wrong with it. */
export type ParsedMapping = { mapping: MappingDocument } | { problems: MappingProblem[] };

/** Checks a mapping with all its paths and templates. @param value parsed YAML or JSON */
export function parseMapping(value: unknown): ParsedMapping {
  const { data, error } = mappingDocument.safeParse(value);
  if (error !== undefined) return { problems: error.issues.map(toProblem) };
  try {
    mappingDecoder(data);
    return { mapping: data };
  } catch (invalid) {
    if (!(invalid instanceof InvalidPart)) throw invalid;
    return { problems: [{ path: invalid.path, message: invalid.message }] };
  }
}

/** A key that does not belong to an object is a part of the path. */
function toProblem(issue: z.core.$ZodIssue): MappingProblem {
  const { path, message } = issue;
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return { path: key === undefined ? path : [...path, key], message };
}

/** A path as `messages[0].fields[2].from`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
