import { unlessDeleted } from '@engawa/model';
import { ConditionFailed, equal, present } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document, DocumentValue } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { Problem } from '@engawa/errors';
import type { Expected } from '@engawa/http';

/** Something that has a name, a version and a place among the names: a place, a room. */
export interface NamedItem<Item extends { version: number }> {
  key: Key;
  parse: (item: Document) => Item;
  /** What a new name changes in the item. */
  nameAttributes: Record<string, DocumentValue>;
  notFound: () => Problem;
  alreadyExists: () => Problem;
  /** That it has this version by now. */
  changed: (version: number) => Problem;
}

export interface Renaming {
  /** The version that it must have; without it, any. */
  version: number | undefined;
}

export interface Replacement<Item extends { version: number }> {
  expected: Expected;
  /** Makes it where it is not there. @throws ConditionFailed with what is there */
  create: () => Promise<Item>;
}

/** Times that somebody may delete what we were told is there, before we say so. */
const mostAttempts = 5;

/** One UpdateItem. Touches nothing but the name, its place among the names and the version. */
export async function rename<Item extends { version: number }>(
  table: Table,
  named: NamedItem<Item>,
  { version }: Renaming,
): Promise<Item> {
  try {
    const item = await table.update(named.key, {
      set: named.nameAttributes,
      add: { version: 1 },
      onlyIf: hasVersion(version),
      recognise: true,
    });
    return named.parse(item);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const item = unlessDeleted(error.item);
    if (item === undefined) throw named.notFound();
    throw named.changed(named.parse(item).version);
  }
}

/** Makes it or gives it its name: one request where it is not there or an ETag came along, else two. */
export async function putNamed<Item extends { version: number }>(
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
      return { item: await rename(table, named, { version }), created: false };
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
