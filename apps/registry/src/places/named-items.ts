import { annotationAttributes, unlessDeleted } from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { mergeAnnotations } from '../annotations/merge-annotations.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import type { Key } from '@engawa/keys';
import type { Annotations, Document } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { ExpectedState, Revision } from '@engawa/http';
import type { AnnotationsPatch } from '../annotations/merge-annotations.ts';
import type { VersionedItem } from '../revision.ts';

/** A place or a room as read. */
export type VersionedAnnotations = Annotations & VersionedItem;

/** An item with a name, a version and a row in the list by name: a place or a room. */
export interface NamedItem<Item extends VersionedAnnotations> {
  key: Key;
  parse: (item: Document) => Item;
  /** The attributes to set unconditionally: name, keys in the list by name, labels, metadata. */
  attributes: Document;
  notFound: () => Problem;
  alreadyExists: () => Problem;
  /** The problem for a version mismatch. */
  changed: (version: number) => Problem;
}

export interface AnnotationsChange {
  /** The expected revision; by default any. */
  revision: Revision | undefined;
  /** Merged into the stored labels and metadata. */
  patch?: AnnotationsPatch | undefined;
}

export interface ItemReplacement<Item extends VersionedAnnotations> {
  expected: ExpectedState<Revision>;
  /** Creates the item. @throws ConditionFailed with the existing item */
  create: () => Promise<Item>;
}

/** Attempts while other clients delete the item in between. */
const maxAttempts = 5;
/** Attempts to write a merged patch while other clients change the item. */
const maxMerges = 20;

/** One UpdateItem, preceded by a GetItem for a patch. Changes only the given attributes and the version. */
export async function changeNamed<Item extends VersionedAnnotations>(
  table: Table,
  named: NamedItem<Item>,
  { revision, patch }: AnnotationsChange,
): Promise<Item> {
  if (patch !== undefined) return merge(table, named, { revision, patch });
  try {
    return named.parse(await write(table, named, { onlyIf: isAsked(revision) }));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw named.changed(expected(error.item, named, undefined).version);
  }
}

/** Where another client's write came first, merges the patch into its result. */
async function merge<Item extends VersionedAnnotations>(
  table: Table,
  named: NamedItem<Item>,
  { revision, patch }: AnnotationsChange & { patch: AnnotationsPatch },
): Promise<Item> {
  let current = expected(await table.get(named.key, { consistent: true }), named, revision);
  for (let attempt = 1; attempt <= maxMerges; attempt++) {
    const merged = annotationAttributes(mergeAnnotations(current, patch));
    try {
      const onlyIf = hasRevision(revisionOf(current));
      return named.parse(await write(table, named, { onlyIf, merged }));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      current = expected(error.item, named, revision);
    }
  }
  throw new Problem('table-throttled', 'Too many concurrent changes of this resource.');
}

function write<Item extends VersionedAnnotations>(
  table: Table,
  { key, attributes }: NamedItem<Item>,
  { onlyIf, merged }: { onlyIf: Condition; merged?: Document },
): Promise<Document> {
  const set = { ...attributes, ...merged };
  return table.update(key, { set, add: { version: 1 }, onlyIf, idempotent: true });
}

/** @throws Problem where the item does not exist, or has another revision */
function expected<Item extends VersionedAnnotations>(
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

/** Creates or changes the item: one request for a new item or with an ETag, else two. */
export async function putNamed<Item extends VersionedAnnotations>(
  table: Table,
  named: NamedItem<Item>,
  { expected, create }: ItemReplacement<Item>,
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
      if (!isGone || expected !== undefined || attempt === maxAttempts) throw error;
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
