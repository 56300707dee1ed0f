import { entityKey, parseKey, shardOf } from '@engawa/keys';
import { keyOf, relationItem, relationsOf } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import fc from 'fast-check';
import { writeCount, targetChecks } from './commit.ts';
import { contentOf, isSameContent, nextEntity } from './next-entity.ts';
import { planChange, relationWrite, sinceOf } from './write-plan.ts';
import { attributeRows, ownItem, targetKey } from '../items/entity-items.ts';
import type { Document, EntityType, RelationRow } from '@engawa/model';
import type { Write } from '@engawa/table';
import type { ItemCollection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';

const shards = fixedShards(1);
const name = { type: 'Track', id: '4' };
const type: EntityType = {
  name: 'Track',
  attributes: [
    { name: 'title', kind: 'text', required: false },
    { name: 'year', kind: 'number', required: false },
    { name: 'plays', kind: 'number', required: false },
    { name: 'changedAt', kind: 'instant', required: false, automatic: 'updated' },
    { name: 'madeAt', kind: 'instant', required: false, automatic: 'created' },
  ],
  relations: [
    { name: 'artist', to: 'Artist', many: false },
    { name: 'featuring', to: 'Artist', many: true },
    { name: 'covers', to: 'Track', many: true },
  ],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }], layout: 1 },
    {
      name: 'byArtist',
      parts: [{ relation: 'artist' }, { attribute: 'year', as: 'number' }],
      layout: 1,
    },
  ],
  rankings: [
    { name: 'byPlays', attribute: 'plays', direction: 'descending', layout: 1 },
    { name: 'byYear', attribute: 'year', direction: 'ascending', layout: 1 },
  ],
  fullText: ['title'],
  ownRanking: 'byPlays',
  version: 1,
  layout: 1,
  built: 1,
  createdAt: 0,
  changedAt: 0,
};

const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'));
const content: fc.Arbitrary<Content> = fc
  .record({
    title: fc.option(fc.constantFrom('a', 'A', 'b'), { nil: undefined }),
    year: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
    plays: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
    artist: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
    featuring: ids,
    covers: ids,
  })
  .map(({ artist, featuring, covers, ...given }) => ({
    attributes: new Map(
      Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
    relations: new Map(
      Object.entries({ artist: artist === undefined ? [] : [artist], featuring, covers }).filter(
        ([, to]) => to.length > 0,
      ),
    ),
  }));

const nothing: ItemCollection = { attributeRows: new Map(), relations: new Map(), units: 0 };

function planned(before: ItemCollection, next: Content) {
  const entity = nextEntity({ name, type, before: before.entity, content: next });
  const desired = { entity, relations: next.relations };
  return { entity, plan: planChange(before, desired, { type, shards }) };
}

/** The entity's items after the plan. */
function applied(before: ItemCollection, next: Content): ItemCollection {
  const { entity, plan } = planned(before, next);
  const attributeRows = new Map(before.attributeRows);
  const relations = new Map(before.relations);
  let text = before.text;
  for (const write of plan.rows) {
    const item = 'put' in write ? (write.put as Document) : undefined;
    const key = 'delete' in write ? write.delete : keyOf(item ?? {});
    const parsed = parseKey(key);
    if (parsed.item !== 'attributeRow') text = item;
    else if (item === undefined) attributeRows.delete(key.sk);
    else attributeRows.set(key.sk, item);
  }
  for (const relation of plan.relations) {
    const write: Write = relationWrite(plan, relation);
    if ('delete' in write) relations.delete(targetKey(relation.to));
    else relations.set(targetKey(relation.to), rowOf(relation.to, relation.names));
  }
  const relationCount = Number(plan.own?.['relationCount']);
  const stored = { ...entity, relationCount };
  return { entity: stored, own: plan.own, attributeRows, text, relations, units: 0 };
}

function rowOf(to: { type: string; id: string }, relations: readonly string[]): RelationRow {
  return { from: name, to, relations, at: 1 };
}

function byName(rows: readonly Document[]): Map<string, Document> {
  return new Map(rows.map((row) => [keyOf(row).sk, row]));
}

function sorted({ relations }: Content): Record<string, string[]> {
  return Object.fromEntries([...relations].map(([key, to]) => [key, to.toSorted()]));
}

describe('a write plan', () => {
  it('brings all items from any content to any other content', () => {
    fc.assert(
      fc.property(content, content, (first, second) => {
        const before = applied(nothing, first);
        const after = applied(before, second);
        const { entity } = after;
        if (entity === undefined) throw new Error('it does not exist');
        expect(after.own).toEqual(ownItem(type, entity, shards));
        expect(byName([...after.attributeRows.values()])).toEqual(
          byName(attributeRows(type, entity, shards)),
        );
        const title = second.attributes.get('title');
        expect(after.text).toMatchObject({ texts: title === undefined ? {} : { title } });
        expect(sorted(contentOf(after))).toEqual(sorted(second));
        expect(entity.version).toBe(2);
        expect(isSameContent(after, type, second)).toBe(true);
        expect(isSameContent(before, type, second)).toBe(
          isSame(first.attributes, second.attributes) && isSame(sorted(first), sorted(second)),
        );
      }),
    );
  });

  it('writes no unchanged row', () => {
    fc.assert(
      fc.property(content, (same) => {
        const before = applied(nothing, same);
        const { plan } = planned(before, same);
        expect(plan.rows).toEqual([]);
        expect(plan.relations).toEqual([]);
        expect(writeCount(plan)).toBe(1);
      }),
    );
  });

  it('keeps unchanged rows in their old shard, and writes changed rows to their new shard', () => {
    const shardOfRow = ({ gsi2pk }: Document) => (gsi2pk as string).split('#').at(-1);
    const given = {
      attributes: new Map<string, string | number>([
        ['title', 'a'],
        ['year', 1],
      ]),
      relations: new Map(),
    };
    const before = applied(nothing, given);
    const many = fixedShards(64);
    const grown = (next: Content) => {
      const entity = nextEntity({ name, type, before: before.entity, content: next });
      return planChange(before, { entity, relations: next.relations }, { type, shards: many });
    };
    expect(grown(given).rows).toEqual([]);
    expect(grown(given).own?.['gsi1pk']).not.toBe(before.own?.['gsi1pk']);
    const [byTitle, text, ...others] = grown({
      ...given,
      attributes: new Map<string, string | number>([
        ['title', 'b'],
        ['year', 1],
      ]),
    }).rows;
    expect(others).toEqual([]);
    for (const write of [byTitle, text]) {
      expect(shardOfRow((write as { put: Document }).put)).toBe(String(shardOf(name.id, 64)));
    }
  });

  it('checks that each newly related entity exists, except the entity itself', () => {
    fc.assert(
      fc.property(content, content, (first, second) => {
        const before = applied(nothing, first);
        const { plan } = planned(before, second);
        const checks = targetChecks(plan, plan.relations);
        const led = new Set(before.relations?.keys());
        const leads = [...(applied(before, second).relations?.values() ?? [])];
        const newly = leads.map(({ to }) => to).filter((to) => !led.has(targetKey(to)));
        const others = newly.filter((to) => targetKey(to) !== targetKey(name));
        const checked = checks.map((write) => ('check' in write ? write.check.pk : ''));
        expect(checked.toSorted()).toEqual(others.map((to) => entityKey(to).pk).toSorted());
        expect(writeCount(plan)).toBe(1 + plan.rows.length + plan.relations.length + others.length);
      }),
    );
  });

  it('reads a staged row as its write was decided', () => {
    const to = (id: string) => ({ type: 'Artist', id });
    const staged = (id: string, is: string[], becomes: string[]): RelationRow => ({
      ...rowOf(to(id), is),
      staged: { write: 'W', relations: becomes },
    });
    const rows = [
      staged('comes', [], ['featuring']),
      staged('goes', ['featuring'], []),
      rowOf(to('stays'), ['featuring']),
    ];
    const relations = new Map(rows.map((row) => [targetKey(row.to), row]));
    const idsFor = (settles: string | undefined) => {
      const { entity } = applied(nothing, { attributes: new Map(), relations: new Map() });
      if (entity === undefined) throw new Error('it does not exist');
      const before = { ...nothing, entity: { ...entity, settles }, relations };
      const desired = new Map([['featuring', ['comes', 'goes', 'stays']]]);
      const { plan } = planned(before, { attributes: new Map(), relations: desired });
      return plan.relations.map(({ to: { id }, isNew }) => ({ id, isNew }));
    };
    expect(idsFor('W')).toEqual([{ id: 'goes', isNew: true }]);
    expect(idsFor(undefined)).toEqual([{ id: 'comes', isNew: true }]);
    expect(idsFor('V')).toEqual([{ id: 'comes', isNew: true }]);
    expect(rows.map((row) => relationsOf(row, 'W'))).toEqual([['featuring'], [], ['featuring']]);
  });

  it('keeps the start time of a relation', () => {
    const before = { from: name, to: { type: 'Artist', id: '1' }, relations: ['artist'], at: 5 };
    const { plan } = planned(nothing, { attributes: new Map(), relations: new Map() });
    const relation = { to: before.to, before, names: ['featuring'], isNew: false };
    expect(relationWrite(plan, relation)).toEqual({
      put: relationItem({ ...before, relations: ['featuring'] }),
    });
    // A row without relations has the time of another write, not the start time of this relation.
    const left = { ...relation, before: { ...before, relations: [] }, isNew: true };
    expect(sinceOf(left)).toBeGreaterThan(5);
  });
});

function isSame(left: unknown, right: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(
      value instanceof Map ? [...value].toSorted() : Object.entries(value as object).toSorted(),
    );
  return plain(left) === plain(right);
}
