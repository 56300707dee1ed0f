import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Decimal } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import {
  absent,
  anyOf,
  ConditionFailed,
  equal,
  ItemRejected,
  less,
  pageKeyOf,
} from '../src/index.ts';
import { metric, startTable } from './table-fixture.ts';
import type { ItemPage, PageKey, QueryRequest } from '../src/index.ts';

const fixture = openBeforeAll(startTable);

const key = (pk: string, sk = pk) => ({ pk, sk });

describe('documents', () => {
  it('are read as they were stored, with all digits and bytes', async () => {
    const document = {
      ...key('document'),
      text: '居間 "1"\u0000',
      empty: '',
      whole: 42,
      fraction: 21.5,
      tiny: 1e-9,
      large: 1e21,
      exact: new Decimal('12345678901234567890.123456789012345678'),
      yes: true,
      nothing: null,
      bytes: Uint8Array.of(0, 255, 10),
      list: [1, 'two', null, [3], {}],
      map: { pk: 'a field', size: 1, 'a.b': 2 },
    };
    await fixture.table.put(document);
    expect(await fixture.table.get(key('document'))).toEqual(document);
  });

  it('are compatible with the document client of AWS, both ways', async () => {
    const { endpoint } = fixture.proxy;
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const bare = new DynamoDBClient({ endpoint, region: 'local', credentials });
    const client = DynamoDBDocumentClient.from(bare);
    const { tableName: TableName } = fixture.table;
    const values = { n: -1.5e-7, s: '居間', b: Uint8Array.of(1), l: [null, true, { m: '' }] };
    await fixture.table.put({ ...key('ours'), ...values });
    await client.send(new PutCommand({ TableName, Item: { ...key('theirs'), ...values } }));
    const { Item } = await client.send(new GetCommand({ TableName, Key: key('ours') }));
    expect(Item).toEqual({ ...key('ours'), ...values });
    expect(await fixture.table.get(key('theirs'))).toEqual({ ...key('theirs'), ...values });
    bare.destroy();
  });

  it('are undefined when absent', async () => {
    expect(await fixture.table.get(key('nobody'))).toBeUndefined();
  });

  it('are absent after deletion', async () => {
    await fixture.table.put(key('deleted'));
    await fixture.table.delete(key('deleted'));
    expect(await fixture.table.get(key('deleted'), { consistent: true })).toBeUndefined();
  });

  it('are rejected when too large for an item', async () => {
    const put = fixture.table.put({ ...key('large'), text: 'x'.repeat(410 * 1024) });
    await expect(put).rejects.toMatchObject({ name: 'ItemRejected', reason: 'too_large' });
  });

  it('are rejected when the table cannot store a value', async () => {
    for (const value of [NaN, Infinity, 1e300, '\ud800']) {
      await expect(fixture.table.put({ ...key('odd'), value })).rejects.toThrow(ItemRejected);
    }
  });
});

describe('query', () => {
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const sortKeys = async (question: Omit<QueryRequest, 'pk'>) => {
    const { items } = await fixture.table.query({ pk: 'query', ...question });
    return items.map((item) => item['sk']);
  };

  beforeAll(async () => {
    for (const number of numbers) {
      const index = { gsi1pk: 'list', gsi1sk: `${9 - number}` };
      await fixture.table.put({ ...key('query', `item#${number}`), ...index });
    }
  });

  it('takes a prefix', async () => {
    expect(await sortKeys({ sk: { beginsWith: 'item#3' } })).toEqual(['item#3']);
  });

  it('accepts a range with both, one or no end, both inclusive', async () => {
    expect(await sortKeys({ sk: { from: 'item#3', to: 'item#4' } })).toEqual(['item#3', 'item#4']);
    expect(await sortKeys({ sk: { from: 'item#8' } })).toEqual(['item#8', 'item#9']);
    expect(await sortKeys({ sk: { to: 'item#1' } })).toEqual(['item#0', 'item#1']);
    expect(await sortKeys({})).toHaveLength(10);
  });

  it('returns the newest item first on request', async () => {
    expect(await sortKeys({ descending: true, limit: 2 })).toEqual(['item#9', 'item#8']);
  });

  it('walks through pages with one request each, also on an index', async () => {
    const before = fixture.proxy.of('Query').length;
    const pages: ItemPage[] = [];
    let after: PageKey | undefined;
    do {
      const page = await fixture.table.query({ index: 'gsi1', pk: 'list', limit: 4, after });
      pages.push(page);
      after = page.next;
    } while (after);
    const found = pages.flatMap(({ items }) => items.map((item) => item['gsi1sk']));
    expect(found).toEqual(numbers.map(String));
    expect(fixture.proxy.of('Query').length - before).toBe(pages.length);
  });

  it('continues after any item', async () => {
    const question = { index: 'gsi1', pk: 'list' } as const;
    const { items } = await fixture.table.query({ ...question, limit: 3 });
    const after = pageKeyOf(items[1] ?? {}, 'gsi1');
    const [next] = (await fixture.table.query({ ...question, after, limit: 1 })).items;
    expect(next?.['gsi1sk']).toBe('2');
  });

  it('ends with the reason when its signal aborts', async () => {
    fixture.proxy.reply = () => 'hang';
    const aborting = new AbortController();
    const answer = fixture.table.query({ pk: 'query', signal: aborting.signal });
    aborting.abort(new Error('the client went away'));
    await expect(answer).rejects.toThrow('the client went away');
    fixture.proxy.reply = () => 'forward';
  });

  it('counts attempts and units', async () => {
    const { registry, table } = fixture;
    const labels = { operation: 'Query', index: 'gsi1' };
    const attempts = () =>
      metric(registry, 'engawa_table_attempts_total', { ...labels, outcome: 'ok' });
    const units = () =>
      metric(registry, 'engawa_table_consumed_units_total', { ...labels, unit: 'read' });
    const [attemptsBefore, unitsBefore] = [await attempts(), await units()];
    await table.query({ index: 'gsi1', pk: 'list' });
    expect(await attempts()).toBe(attemptsBefore + 1);
    expect(await units()).toBeGreaterThan(unitsBefore);
  });
});

describe('update', () => {
  it('sets, removes and adds fields of any name, and returns the whole item', async () => {
    await fixture.table.put({ ...key('update'), name: 'before', ttl: 1, size: 2 });
    const item = await fixture.table.update(key('update'), {
      set: { name: 'after', 'a.b': [1] },
      remove: ['ttl'],
      add: { size: 3 },
    });
    expect(item).toEqual({ ...key('update'), name: 'after', 'a.b': [1], size: 5 });
  });

  it('creates the item when it is absent', async () => {
    expect(await fixture.table.update(key('made'), {})).toEqual(key('made'));
  });
});

describe('conditions', () => {
  it('accept the first write and return the existing item to the others', async () => {
    await fixture.table.put({ ...key('first'), by: 'me' }, { onlyIf: absent('pk') });
    const second = fixture.table.put({ ...key('first'), by: 'you' }, { onlyIf: absent('pk') });
    await expect(second).rejects.toThrow(ConditionFailed);
    await expect(second).rejects.toMatchObject({ item: { by: 'me' } });
  });

  it('accept only newer values', async () => {
    const touch = (at: number) =>
      fixture.table.update(key('newer'), {
        set: { at },
        onlyIf: anyOf(absent('at'), less('at', at)),
      });
    await touch(5);
    await expect(touch(4)).rejects.toThrow(ConditionFailed);
    expect(await touch(6)).toMatchObject({ at: 6 });
  });

  it('guard deletions', async () => {
    await fixture.table.put({ ...key('guarded'), version: 2 });
    const deletion = fixture.table.delete(key('guarded'), { onlyIf: equal('version', 1) });
    await expect(deletion).rejects.toThrow(ConditionFailed);
  });
});

describe('transact', () => {
  it('writes all', async () => {
    await fixture.table.put(key('t-gone'));
    await fixture.table.transact([
      { put: { ...key('t-put'), new: true } },
      { update: key('t-update'), set: { name: 'set' } },
      { delete: key('t-gone') },
      { check: key('t-absent'), onlyIf: absent('pk') },
    ]);
    expect(await fixture.table.get(key('t-put'))).toMatchObject({ new: true });
    expect(await fixture.table.get(key('t-update'))).toMatchObject({ name: 'set' });
    expect(await fixture.table.get(key('t-gone'))).toBeUndefined();
  });

  it('writes nothing when one condition fails', async () => {
    const transaction = fixture.table.transact([
      { put: key('t-nothing') },
      { check: key('t-put'), onlyIf: absent('pk') },
    ]);
    await expect(transaction).rejects.toThrow(ConditionFailed);
    expect(await fixture.table.get(key('t-nothing'))).toBeUndefined();
  });
});
