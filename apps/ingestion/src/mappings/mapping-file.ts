import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { parseMapping, pathText } from './parse-mapping.ts';
import type { Document } from 'yaml';
import type { MappingDocument } from './mapping-document.ts';
import type { MappingProblem } from './parse-mapping.ts';

/** Maximum characters of a file: a ConfigMap of Kubernetes holds at most 1 MiB. */
const maxFileLength = 256 * 1024;

/** A mapping, or what is wrong with the file: `FILE:LINE: messages[0].topic: reason`. */
export type MappingFile = { mapping: MappingDocument } | { problems: string[] };

/** @param text YAML or JSON, which YAML includes; @param file its name in problems */
export function parseMappingFile(file: string, text: string): MappingFile {
  if (text.length > maxFileLength)
    return { problems: [`${file}: it has more than ${maxFileLength} characters`] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(
    ({ pos: [start], message }) => `${file}:${lines.linePos(start).line}: ${message}`,
  );
  if (problems.length > 0) return { problems };
  const parsed = parseMapping(valueOf(document));
  if ('mapping' in parsed) return parsed;
  const describe = ({ path, message }: MappingProblem) => {
    const { line } = lines.linePos(positionOf(document, path));
    return `${file}:${line}: ${path.length === 0 ? '' : `${pathText(path)}: `}${message}`;
  };
  return { problems: parsed.problems.map(describe) };
}

/** Undefined for a document whose aliases stand for far more than it contains. */
function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Where the part is, or the nearest one around it. */
function positionOf({ contents }: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = contents;
  let position = contents?.range[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!isScalar(pair?.key)) break;
      position = pair.key.range?.[0] ?? position;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (!isMap(node) && !isSeq(node) && !isScalar(node)) break;
      position = node.range?.[0] ?? position;
    } else break;
  }
  return position;
}
