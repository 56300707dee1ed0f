import { parseKey } from '@engawa/keys';
import type { Item } from '@engawa/dynamodb-simulator/rules';

type ParsedItemKey = ReturnType<typeof parseKey>;

export interface CatalogRow {
  key: ParsedItemKey;
  item: Item;
}

/** All items of the table, with parsed keys. */
export function rowsOf(items: Iterable<Item>): CatalogRow[] {
  return [...items].map((item) => {
    const { pk, sk } = item as { pk: { S: string }; sk: { S: string } };
    return { key: parseKey({ pk: pk.S, sk: sk.S }), item };
  });
}

/** @returns unfinished tasks and staged writes, a sentence each */
export function pendingWork(rows: readonly CatalogRow[]): string[] {
  return rows.flatMap(({ key, item }) => {
    if (key.item === 'catalogTask') return [`the task ${[key.kind, ...key.segments].join(' ')}`];
    if (key.item === 'entity' && ('settles' in item || 'staging' in item)) {
      return [`a staged write of ${key.type}/${key.id}`];
    }
    const isStaged = key.item === 'relation' && 'staged' in dataOf(item);
    return isStaged ? [`a staged relation of ${key.type}/${key.id}`] : [];
  });
}

/**
 * Finds relations to deleted entities, or to former entities of an id. At any time, such a relation
 * may exist only until the deletion has searched for relations. The first search finds all of them
 * if the index has no lag; otherwise the last search does, two minutes later.
 * @param haveIndexesLagged whether relations may exist until the last search
 * @returns a description of each dangling relation
 */
export function danglingRelations(
  rows: readonly CatalogRow[],
  haveIndexesLagged: boolean,
): string[] {
  const incarnations = new Map<string, string>();
  const settles = new Map<string, string | undefined>();
  const notLooked = new Set<string>();
  for (const { key, item } of rows) {
    if (key.item === 'catalogTask' && (haveIndexesLagged || item['looked']?.BOOL !== true)) {
      notLooked.add(`${key.segments[0] ?? ''}/${key.segments[1] ?? ''}`);
    }
    if (key.item !== 'entity') continue;
    const name = `${key.type}/${key.id}`;
    settles.set(name, item['settles']?.S);
    if (item['gone']?.BOOL !== true) incarnations.set(name, incarnationIn(item));
  }
  return rows.flatMap(({ key, item }) => {
    if (key.item !== 'relation') return [];
    const from = `${key.type}/${key.id}`;
    const target = `${key.otherType}/${key.otherId}`;
    const counts = visibleIn(item, settles.get(from));
    const there = incarnations.get(target);
    const isNothing = (counts['relations']?.L ?? []).length === 0;
    if (isNothing || there === incarnationIn(counts) || notLooked.has(target)) return [];
    return [
      `${from} relates to incarnation ${incarnationIn(counts)} of ${target}, which is ${there ?? 'deleted'}`,
    ];
  });
}

/**
 * Compares the two records of each relation to one entity, in the entity's own item and in a row,
 * which must be equal at any time.
 * @returns a description of each difference
 */
export function unequalRelationRecords(rows: readonly CatalogRow[]): string[] {
  const settles = new Map<string, string | undefined>();
  const said = new Map<string, Set<string>>();
  for (const { key, item } of rows) {
    if (key.item !== 'entity') continue;
    const one = Object.entries(dataOf(item)['one']?.M ?? {});
    settles.set(`${key.type}/${key.id}`, item['settles']?.S);
    said.set(`${key.type}/${key.id}`, new Set(one.map(([name, id]) => `${name} ${id.S ?? ''}`)));
  }
  const led = new Map<string, Set<string>>();
  for (const { key, item } of rows) {
    if (key.item !== 'relation') continue;
    const from = `${key.type}/${key.id}`;
    const names = visibleIn(item, settles.get(from))['relations']?.L ?? [];
    const leads = led.get(from) ?? new Set();
    for (const { S: name = '' } of names) leads.add(`${name} ${key.otherId}`);
    led.set(from, leads);
  }
  return [...said].flatMap(([from, ones]) =>
    [...ones]
      .filter((one) => led.get(from)?.has(one) !== true)
      .map((one) => `the item of ${from} has the relation ${one}, but no row exists for it`),
  );
}

/** The relation of a row. A staged relation is visible as soon as its entity refers to the write. */
function visibleIn(row: Item, settles: string | undefined): Item {
  const data = dataOf(row);
  const staged = data['staged']?.M;
  return staged !== undefined && staged['write']?.S === settles ? staged : data;
}

const incarnationIn = (item: Item): string => item['incarnation']?.S ?? 'the first';

/**
 * Checks that each row belongs to an existing entity and search. Call it after all work has completed.
 * @param searches names such as `Track/byName`
 * @returns a description of each orphaned row
 */
export function orphanedRows(rows: readonly CatalogRow[], searches: ReadonlySet<string>): string[] {
  const there = new Set<string>();
  for (const { key, item } of rows) {
    if (key.item === 'entity' && item['gone']?.BOOL !== true) there.add(`${key.type}/${key.id}`);
  }
  return rows.flatMap(({ key, item }) => {
    if (!('type' in key && 'id' in key)) return [];
    const owner = `${key.type}/${key.id}`;
    if (key.item === 'entity' && !there.has(owner)) return [`remaining tombstone of ${owner}`];
    const isEmptyText = key.item === 'textRow' && !('texts' in item);
    if (isEmptyText || key.item === 'entity') return [];
    if (!there.has(owner)) return [`orphaned row: ${key.item} of ${owner}, which does not exist`];
    const isOfSearch = key.item !== 'attributeRow' || searches.has(`${key.type}/${key.search}`);
    return isOfSearch
      ? []
      : [`orphaned row: ${owner} in the search ${key.search}, which does not exist`];
  });
}

/** Checks that each value of a unique attribute is claimed by its entity only. */
export function uniqueViolations(rows: readonly CatalogRow[], attribute: string): string[] {
  const owners = new Map<string, string>();
  const values = new Map<string, string>();
  for (const { key, item } of rows) {
    if (key.item === 'uniqueValue') {
      owners.set(`${key.type} ${item['value']?.S ?? ''}`, `${key.type}/${item['owner']?.S ?? ''}`);
    }
    if (key.item !== 'entity') continue;
    const value = dataOf(item)['attributes']?.M?.[attribute]?.S;
    if (value !== undefined) values.set(`${key.type}/${key.id}`, `${key.type} ${value}`);
  }
  const left = [...owners].flatMap(([value, owner]) =>
    values.get(owner) === value ? [] : [`${owner} claims ${value}, but does not have this value`],
  );
  const unclaimed = [...values].flatMap(([owner, value]) =>
    owners.get(value) === owner ? [] : [`${owner} has ${value}, but has not claimed it`],
  );
  return [...left, ...unclaimed];
}

function dataOf(item: Item): Item {
  return item['data']?.M ?? {};
}
