import { fixedShards } from '@engawa/table';
import fc from 'fast-check';
import { applyChanges } from '../content/check-changes.ts';
import { countIds, unreadRelations } from '../read/item-collection.ts';
import { contentOf, nextEntity } from '../write/next-entity.ts';
import { planChange } from '../write/write-plan.ts';
import { relationsToRead } from './relations-read.ts';
import { relationTargets, targetKey } from '../items/entity-items.ts';
import type { EntityType, RelationRow } from '@engawa/model';
import type { Changes, RelationChange } from '../content/check-changes.ts';
import type { ItemCollection } from '../read/item-collection.ts';

const name = { type: 'Track', id: '4' };
const type: EntityType = {
  name: 'Track',
  attributes: [],
  relations: [
    { name: 'artist', to: 'Artist', many: false },
    { name: 'featuring', to: 'Artist', many: true },
    { name: 'covers', to: 'Track', many: true },
  ],
  searches: [],
  rankings: [],
  fullText: [],
  version: 1,
  layout: 1,
  built: 1,
  createdAt: 0,
  changedAt: 0,
};

const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'));
const one = fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined });
const there = fc.record({ artist: one, featuring: ids, covers: ids });
const part = fc.record({ add: ids, remove: ids });
const changes = fc
  .record(
    { artist: one.map((id) => (id === undefined ? [] : [id])), featuring: part, covers: part },
    { requiredKeys: [] },
  )
  .map((given): Changes => ({
    attributes: new Map(),
    relations: new Map(Object.entries(given) as [string, RelationChange][]),
    conditions: [],
  }));

/** The complete collection of an entity with these relations. */
function entityWith(relations: ReadonlyMap<string, readonly string[]>): ItemCollection {
  const content = { attributes: new Map(), relations };
  const entity = nextEntity({ name, type, before: undefined, content });
  const rows = [...relationTargets(type, relations)].map(([key, { to, names }]) => {
    const row: RelationRow = { from: name, to, relations: names, at: 1 };
    return [key, row] as const;
  });
  const counted = { ...entity, relationCount: countIds(relations) };
  return { entity: counted, attributeRows: new Map(), relations: new Map(rows), units: 0 };
}

/** The collection with only the rows that the change requires, and the rows of `others`. */
function partOf(
  whole: ItemCollection,
  { relations }: Changes,
  others: readonly string[],
): ItemCollection {
  const read = relationsToRead(type, relations);
  if (typeof read !== 'function' || whole.entity === undefined) return whole;
  const keys = new Set(read(whole.entity).map(targetKey));
  const isRead = ([key, { to }]: readonly [string, RelationRow]) =>
    keys.has(key) || others.includes(to.id);
  return {
    ...whole,
    isPartial: true,
    relations: new Map([...(whole.relations ?? [])].filter(isRead)),
  };
}

function planned(before: ItemCollection, given: Changes) {
  const content = applyChanges(contentOf(before), given, unreadRelations(before));
  const entity = nextEntity({ name, type, before: before.entity, content });
  const desired = { entity, relations: content.relations };
  const { own, relations } = planChange(before, desired, { type, shards: fixedShards(1) });
  const byTarget = relations.map(({ to, names }) => [targetKey(to), names] as const);
  return {
    one: entity.one,
    count: own?.['relationCount'],
    rows: new Map(byTarget.map(([key, names]) => [key, names.toSorted()])),
  };
}

describe('a change of relations', () => {
  it('gives the same plan from the rows of its targets as from all rows', () => {
    fc.assert(
      fc.property(there, changes, ids, ({ artist, ...many }, given, others) => {
        const relations = new Map<string, readonly string[]>([
          ...(artist === undefined ? [] : [['artist', [artist]] as const]),
          ...Object.entries(many),
        ]);
        const whole = entityWith(relations);
        expect(planned(partOf(whole, given, others), given)).toEqual(planned(whole, given));
      }),
      { numRuns: 1000 },
    );
  });
});
