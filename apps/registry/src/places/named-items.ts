import { annotationAttributes, unlessDeleted } from '@engawa/model';
import { ConditionFailed, present, retryOnConflict } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { mergeAnnotations } from '../annotations/merge-annotations.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import type { ProblemCode } from '@engawa/errors';
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
  /** Names the item in problems, such as `the place "home"`. */
  title: string;
  parse: (item: Document) => Item;
  /** The attributes to set unconditionally: name, keys in the list by name, labels, metadata. */
  attributes: Document;
  notFound: () => Problem;
  /** The code of `notFound`. */
  notFoundCode: ProblemCode;
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

/**
 * One UpdateItem, preceded by a GetItem for a patch. Changes only the given attributes and the version.
 * @throws Problem `notFound`, `changed`; for a patch also `too-many-conflicts`
 */
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
  const onConflict = ({ item }: ConditionFailed) => {
    current = expected(item, named, revision);
  };
  return retryOnConflict({ resource: named.title, onConflict }, async () => {
    const merged = annotationAttributes(mergeAnnotations(current, patch));
    const onlyIf = hasRevision(revisionOf(current));
    return named.parse(await write(table, named, { onlyIf, merged }));
  });
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

/**
 * Creates or changes the item: one request for a new item or with an ETag, else two.
 * @throws Problem `alreadyExists`, `notFound`, `changed`; `too-many-conflicts` while other clients create and delete it
 */
export async function putNamed<Item extends VersionedAnnotations>(
  table: Table,
  named: NamedItem<Item>,
  { expected, create }: ItemReplacement<Item>,
): Promise<{ item: Item; created: boolean }> {
  const isConflict = (error: unknown): error is Problem =>
    error instanceof Problem && error.code === named.notFoundCode && expected === undefined;
  return retryOnConflict({ resource: named.title, isConflict }, async () => {
    if (expected === undefined || expected === 'absent') {
      const created = await unlessThere(create);
      if (created !== undefined) return { item: created, created: true };
      if (expected === 'absent') throw named.alreadyExists();
    }
    const revision = typeof expected === 'object' ? expected : undefined;
    return { item: await changeNamed(table, named, { revision }), created: false };
  });
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
