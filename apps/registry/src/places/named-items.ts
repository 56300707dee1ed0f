import { annotationAttributes, unlessDeleted } from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { mergeAnnotations } from '../annotations/merge-annotations.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import type { Key } from '@engawa/keys';
import type { Annotations, Document } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { Expected, Revision } from '@engawa/http';
import type { AnnotationsPatch } from '../annotations/merge-annotations.ts';
import type { Revised } from '../revision.ts';

/** A place or a room, as it is read. */
export type Named = Annotations & Revised;

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
  /** The one that it must have; without it, any. */
  revision: Revision | undefined;
  /** Merged into the labels and metadata that it has. */
  patch?: AnnotationsPatch | undefined;
}

export interface Replacement<Item extends Named> {
  expected: Expected<Revision>;
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
  { revision, patch }: Change,
): Promise<Item> {
  if (patch !== undefined) return merge(table, named, { revision, patch });
  try {
    return named.parse(await write(table, named, { onlyIf: isAsked(revision) }));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw named.changed(expected(error.item, named, undefined).version);
  }
}

/** When another client's write comes first, merges the patch into the result of that write. */
async function merge<Item extends Named>(
  table: Table,
  named: NamedItem<Item>,
  { revision, patch }: Change & { patch: AnnotationsPatch },
): Promise<Item> {
  let current = expected(await table.get(named.key, { consistent: true }), named, revision);
  for (let attempt = 1; attempt <= mostMerges; attempt++) {
    const merged = annotationAttributes(mergeAnnotations(current, patch));
    try {
      const onlyIf = hasRevision(revisionOf(current));
      return named.parse(await write(table, named, { onlyIf, merged }));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      current = expected(error.item, named, revision);
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
  return table.update(key, { set, add: { version: 1 }, onlyIf, idempotent: true });
}

/** @throws Problem where it is not there, or has not the version that is asked for */
function expected<Item extends Named>(
  found: Document | undefined,
  named: NamedItem<Item>,
  revision: Revision | undefined,
): Item {
  const item = unlessDeleted(found);
  if (item === undefined) throw named.notFound();
  const current = named.parse(item);
  if (revision !== undefined && !isRevision(current, revision))
    throw named.changed(current.version);
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
    const revision = typeof expected === 'object' ? expected : undefined;
    try {
      return { item: await changeNamed(table, named, { revision }), created: false };
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

function isAsked(revision: Revision | undefined): Condition {
  return revision === undefined ? present('version') : hasRevision(revision);
}
