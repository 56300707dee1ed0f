import { isMap, isScalar, parseDocument } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';

/** A row of the chart's README. */
export interface DocumentedValue {
  path: string;
  /** As one would write it in YAML. */
  default: string;
  description: string;
}

interface DocumentedValues {
  rows: DocumentedValue[];
  /** Leaves that neither have a comment nor are part of something that has. */
  undocumented: string[];
}

/** What the `# --` comments of a values.yaml say of the value that each stands before. */
export function documentedValues(text: string): DocumentedValues {
  const { contents } = parseDocument(text, { merge: false });
  if (!isMap(contents)) throw new Error('values.yaml holds no values');
  const found: DocumentedValues = { rows: [], undocumented: [] };
  visit(contents, { text, path: [], isDocumented: false, found });
  return found;
}

interface Place {
  text: string;
  path: readonly string[];
  isDocumented: boolean;
  found: DocumentedValues;
}

function visit(map: YAMLMap, place: Place): void {
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

/** The comment before a key; that before the first key of a map is, for the parser, before the map. */
function descriptionOf({ key }: Pair, first: YAMLMap | undefined): string | undefined {
  const before = isScalar(key) ? key.commentBefore : undefined;
  const comment = before ?? first?.commentBefore ?? undefined;
  const lines = comment?.split('\n').map((line) => line.trim());
  const start = lines?.findLastIndex((line) => line.startsWith('-- ')) ?? -1;
  return start === -1 ? undefined : lines?.slice(start).join(' ').slice('-- '.length);
}

function writtenOf({ value }: Pair): string {
  const plain: unknown = isScalar(value) || value === null ? value : toPlain(value);
  return JSON.stringify(isScalar(plain) ? plain.value : plain);
}

function toPlain(value: unknown): unknown {
  return (value as YAMLMap).toJSON();
}
