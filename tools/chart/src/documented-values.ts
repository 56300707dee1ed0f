import { isMap, isScalar, parseDocument } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';

/** A row of the chart's README. */
export interface DocumentedValue {
  path: string;
  /** In YAML. */
  default: string;
  description: string;
}

interface DocumentedValues {
  rows: DocumentedValue[];
  /** Values without a comment of their own or of a parent. */
  undocumented: string[];
}

/** Reads the `# --` comments of a values.yaml, each with the value that follows it. */
export function documentedValues(text: string): DocumentedValues {
  const { contents } = parseDocument(text, { merge: false });
  if (!isMap(contents)) throw new Error('values.yaml holds no values');
  const found: DocumentedValues = { rows: [], undocumented: [] };
  visit(contents, { text, path: [], isDocumented: false, found });
  return found;
}

interface VisitedMap {
  text: string;
  path: readonly string[];
  isDocumented: boolean;
  found: DocumentedValues;
}

function visit(map: YAMLMap, place: VisitedMap): void {
  for (const [index, pair] of map.items.entries()) {
    const path = [...place.path, String(isScalar(pair.key) ? pair.key.value : pair.key)];
    const name = path.join('.');
    const description = descriptionOf(pair, index === 0 ? map : undefined);
    if (description !== undefined)
      place.found.rows.push({ path: name, default: writtenOf(pair), description });
    const isDocumented = place.isDocumented || description !== undefined;
    if (isMap(pair.value) && pair.value.items.length > 0)
      visit(pair.value, { ...place, path, isDocumented });
    else if (!isDocumented) place.found.undocumented.push(name);
  }
}

function descriptionOf(pair: Pair, first: YAMLMap | undefined): string | undefined {
  const lines = commentLines(pair, first);
  const start = lines.findLastIndex((line) => line.startsWith('-- '));
  return start === -1 ? undefined : lines.slice(start).join(' ').slice('-- '.length);
}

/** The comment before a key. The parser attaches that of a map's first key to the map (`first`). */
export function commentLines({ key }: Pair, first: YAMLMap | undefined): string[] {
  const before = isScalar(key) ? key.commentBefore : undefined;
  const comment = before ?? first?.commentBefore ?? '';
  return comment.split('\n').map((line) => line.trim());
}

function writtenOf({ value }: Pair): string {
  const plain: unknown = isScalar(value) || value === null ? value : toPlain(value);
  return JSON.stringify(isScalar(plain) ? plain.value : plain);
}

function toPlain(value: unknown): unknown {
  return (value as YAMLMap).toJSON();
}
