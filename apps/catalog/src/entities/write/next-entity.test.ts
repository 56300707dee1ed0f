import { nextEntity } from './next-entity.ts';
import { planRebuild } from './rebuild-plan.ts';
import { textChanges, textRemoval } from '../items/text-rows.ts';
import { parseTextRow } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import pino from 'pino';
import type { Document, EntityType } from '@engawa/model';
import type { ItemCollection } from '../read/item-collection.ts';

const shards = fixedShards(1);
const name = { type: 'Track', id: '4' };
const type: EntityType = {
  name: 'Track',
  attributes: [
    { name: 'title', kind: 'text', required: false },
    { name: 'plays', kind: 'number', required: false },
    { name: 'changedAt', kind: 'instant', required: false, automatic: 'updated' },
    { name: 'madeAt', kind: 'instant', required: false, automatic: 'created' },
  ],
  relations: [],
  searches: [],
  rankings: [],
  fullText: ['title'],
  version: 1,
  layout: 3,
  built: 3,
  createdAt: 0,
  changedAt: 0,
};
const content = { attributes: new Map([['title', 'Heroes']]), relations: new Map() };
const first = nextEntity({ name, type, before: undefined, content });
const ahead = Date.now() + 3_600_000;

describe('the next version of an entity', () => {
  it('has version + 1, the same creation time, and a later change time even if the clock is behind', () => {
    const before = { ...first, createdAt: 7, updatedAt: ahead, version: 4 };
    const next = nextEntity({ name, type, before, content });
    expect(next).toMatchObject({ createdAt: 7, updatedAt: ahead + 1, version: 5, layout: 3 });
    expect(next.writeId).not.toBe(before.writeId);
    expect(next.attributes.get('madeAt')).toBe(new Date(7).toISOString());
    expect(next.attributes.get('changedAt')).toBe(new Date(ahead + 1).toISOString());
  });

  it('keeps the committed staged write, and removes the mark of one that is being prepared', () => {
    const before = { ...first, settles: 'W', staging: 'V' };
    expect(nextEntity({ name, type, before, content })).toMatchObject({ settles: 'W' });
    expect(nextEntity({ name, type, before, content }).staging).toBeUndefined();
  });
});

describe('the rebuild of an entity', () => {
  const options = { type, shards, log: pino({ enabled: false }) };
  const built = (entity: ItemCollection['entity'], own?: Document) =>
    planRebuild({ entity, own, attributeRows: new Map(), units: 0 }, options);

  it('invalidates concurrent writes, and keeps the content and version', () => {
    const plan = built({ ...first, layout: 2, staging: 'V', settles: 'W', version: 6 });
    expect(plan?.own).toMatchObject({ layout: 3, settles: 'W', version: 6 });
    expect(plan?.own).not.toHaveProperty('staging');
    expect(plan?.own?.['writeId']).not.toBe(first.writeId);
  });

  it('writes nothing for a missing entity, or one that is up to date', () => {
    expect(built(undefined)).toBeUndefined();
    expect(built({ ...first, gone: true, layout: 0 })).toBeUndefined();
    const own = built({ ...first, layout: 2 })?.own;
    const text = textChanges(undefined, first, { type, shards })[0] as { put: Document };
    const collection = { entity: first, own, text: text.put, attributeRows: new Map(), units: 0 };
    expect(planRebuild(collection, options)).toBeUndefined();
    expect(planRebuild({ ...collection, text: undefined }, options)?.rows).toHaveLength(1);
  });
});

describe('the text row of an entity', () => {
  const [written] = textChanges(undefined, first, { type, shards });
  const row = (written as { put: Document }).put;

  it("is written where texts change, with a time not before the entity's change", () => {
    expect(parseTextRow(row)).toMatchObject({ texts: new Map([['title', 'Heroes']]) });
    expect(row).not.toHaveProperty('ttl');
    expect(textChanges(row, first, { type, shards })).toEqual([]);
    const late = { ...first, attributes: new Map(), updatedAt: ahead };
    const [next] = textChanges(row, late, { type, shards });
    expect(next).toMatchObject({ put: { texts: {}, changedAt: ahead } });
  });

  it('becomes a removal for one day where the entity is deleted, or the type has no full text', () => {
    const [gone] = textRemoval(row, name, ahead, shards);
    expect(gone).toMatchObject({
      put: { changedAt: ahead, ttl: Math.ceil(ahead / 1000) + 86_400 },
    });
    expect((gone as { put: Document }).put).not.toHaveProperty('texts');
    const there = (gone as { put: Document }).put;
    expect(textRemoval(there, name, ahead, shards)).toEqual([]);
    expect(textRemoval(undefined, name, ahead, shards)).toEqual([]);
    const [untold] = textChanges(row, first, { type: { ...type, fullText: [] }, shards });
    expect((untold as { put: Document }).put).not.toHaveProperty('texts');
    expect(textChanges(there, first, { type, shards })).toHaveLength(1);
  });
});
