import { annotationAttributes, unlessDeleted } from '@engawa/model';
import { ConditionFailed, equal, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { mergeAnnotations } from '../annotations/merge-annotations.ts';
import type { Key } from '@engawa/keys';
import type { Annotations, Document } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { Expected } from '@engawa/http';
import type { AnnotationsPatch } from '../annotations/merge-annotations.ts';

/** A place or a room, as it is read. */
export type Named = Annotations & { version: number };

/** Something that has a name, a version and a place among the names: a place, a room. */
export interface NamedItem<Item extends Named> {
  key: Key;
  parse: (item: Document) => Item;
  /** What of the item changes, whatever is there: a new name, its place among the names, all labels, all metadata. */
  attributes: Document;
  notFound: () => Problem;
  alreadyExists: () => Problem;
  /** That it has this version by now. */
  changed: (version: number) => Problem;
}

export interface Change {
  /** The version that it must have; without it, any. */
  version: number | undefined;
  /** Merged into the labels and metadata that it has. */
  patch?: AnnotationsPatch | undefined;
}

export interface Replacement<Item extends Named> {
  expected: Expected;
  /** Makes it where it is not there. @throws ConditionFailed with what is there */
  create: () => Promise<Item>;
}

/** Times that somebody may delete what we were told is there, before we say so. */
const mostAttempts = 5;
/** Attempts to write a merged patch while other clients change the item. */
const mostMerges = 20;

/** One UpdateItem, and before it a GetItem where there is a patch. Touches nothing but what is said and the version. */
export async function changeNamed<Item extends Named>(
  table: Table,
  named: NamedItem<Item>,
  { version, patch }: Change,
): Promise<Item> {
  if (patch !== undefined) return merge(table, named, { version, patch });
  try {
    return named.parse(await write(table, named, { onlyIf: hasVersion(version) }));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw named.changed(expected(error.item, named, undefined).version);
  }
}

/** When another client's write comes first, merges the patch into the result of that write. */
async function merge<Item extends Named>(
  table: Table,
  named: NamedItem<Item>,
  { version, patch }: Change & { patch: AnnotationsPatch },
): Promise<Item> {
  let current = expected(await table.get(named.key, { consistent: true }), named, version);
  for (let attempt = 1; attempt <= mostMerges; attempt++) {
    const merged = annotationAttributes(mergeAnnotations(current, patch));
    try {
      const onlyIf = equal('version', current.version);
      return named.parse(await write(table, named, { onlyIf, merged }));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      current = expected(error.item, named, version);
    }
  }
  throw new Problem('table-throttled', 'Others change it faster than it can be followed.');
}

function write<Item extends Named>(
  table: Table,
  { key, attributes }: NamedItem<Item>,
  { onlyIf, merged }: { onlyIf: Condition; merged?: Document },
): Promise<Document> {
  const set = { ...attributes, ...merged };
  return table.update(key, { set, add: { version: 1 }, onlyIf, recognise: true });
}

/** @throws Problem where it is not there, or has not the version that is asked for */
function expected<Item extends Named>(
  found: Document | undefined,
  named: NamedItem<Item>,
  version: number | undefined,
): Item {
  const item = unlessDeleted(found);
  if (item === undefined) throw named.notFound();
  const current = named.parse(item);
  if (version !== undefined && current.version !== version) throw named.changed(current.version);
  return current;
}

/** Makes it or changes it: one request where it is not there or an ETag came along, else two. */
export async function putNamed<Item extends Named>(
  table: Table,
  named: NamedItem<Item>,
  { expected, create }: Replacement<Item>,
): Promise<{ item: Item; created: boolean }> {
  for (let attempt = 1; ; attempt++) {
    if (expected === undefined || expected === 'absent') {
      const created = await unlessThere(create);
      if (created !== undefined) return { item: created, created: true };
      if (expected === 'absent') throw named.alreadyExists();
    }
    const version = typeof expected === 'number' ? expected : undefined;
    try {
      return { item: await changeNamed(table, named, { version }), created: false };
    } catch (error) {
      const isGone = (error as Problem).code === named.notFound().code;
      if (!isGone || expected !== undefined || attempt === mostAttempts) throw error;
    }
  }
}

async function unlessThere<Item>(create: () => Promise<Item>): Promise<Item | undefined> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

function hasVersion(version: number | undefined): Condition {
  return version === undefined ? present('version') : equal('version', version);
}
