import { equal, present } from '../src/index.ts';
import { connect, startTable } from './table-fixture.ts';
import type { Table } from '../src/index.ts';
import type { Reply } from './fault-proxy.ts';
import type { TableFixture } from './table-fixture.ts';

let fixture: TableFixture;
let table: Table;
beforeAll(async () => {
  fixture = await startTable();
  // Longer timeout than the fixture's: an attempt that times out on a busy machine would count as one more.
  ({ table } = connect(fixture.table.tableName, fixture.proxy.endpoint, 10_000));
});
afterAll(async () => {
  table.close();
  await fixture.close();
});
afterEach(() => (fixture.proxy.reply = () => 'forward'));

const key = (pk: string) => ({ pk, sk: pk });

const single: Reply = { status: 400, type: 'TransactionConflictException' };
const cancelled: Reply = {
  status: 400,
  type: 'TransactionCanceledException',
  more: { CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }] },
};

/** Returns these replies to the first requests of one operation, and normal ones afterwards. */
function failFirst(operation: string, times: number, reply: Reply): void {
  let asked = 0;
  fixture.proxy.reply = (request) =>
    request.operation === operation && ++asked <= times ? reply : 'forward';
}

function tokens(): unknown[] {
  return fixture.proxy.of('TransactWriteItems').map(({ body }) => body['ClientRequestToken']);
}

describe('a write that conflicts with a transaction', () => {
  it('of one item is retried until it takes place, once', async () => {
    failFirst('UpdateItem', 3, single);
    expect(await table.update(key('counted'), { add: { count: 1 } })).toMatchObject({
      count: 1,
    });
    failFirst('PutItem', 1, single);
    await table.put(key('put'));
    failFirst('DeleteItem', 1, single);
    await table.delete(key('put'));
    expect(await table.get(key('put'), { consistent: true })).toBeUndefined();
  });

  it('of several items is retried with the same token', async () => {
    failFirst('TransactWriteItems', 3, cancelled);
    const before = tokens().length;
    await table.transact([{ update: key('both'), add: { count: 1 } }, { put: key('beside') }]);
    expect(await table.get(key('both'))).toMatchObject({ count: 1 });
    const sent = tokens().slice(before);
    expect(sent).toHaveLength(4);
    expect(new Set(sent).size).toBe(1);
  });

  it('ends after the last retry, as a conflict', async () => {
    fixture.proxy.reply = () => cancelled;
    const before = tokens().length;
    await expect(table.transact([{ put: key('never') }])).rejects.toMatchObject({
      code: 'too-many-conflicts',
    });
    expect(tokens().length - before).toBe(40);
  });

  it('is not a conflict where a condition fails', async () => {
    await expect(table.update(key('nobody'), { onlyIf: present('pk') })).rejects.toMatchObject({
      name: 'ConditionFailed',
      item: undefined,
    });
  });
});

it('executes a transaction once although its response is lost', async () => {
  await table.put({ ...key('version'), version: 1 });
  failFirst('TransactWriteItems', 1, 'reset after it took place');
  const before = tokens().length;
  await table.transact([
    { update: key('version'), add: { version: 1 }, onlyIf: equal('version', 1) },
    { put: key('with it') },
  ]);
  expect(await table.get(key('version'))).toMatchObject({ version: 2 });
  const sent = tokens().slice(before);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBe(sent[1]);
});

it('loses no update among many concurrent ones, alone and in transactions', async () => {
  const updates = Array.from({ length: 40 }, (_, number) => {
    const add = { count: 1 };
    return number % 2 === 0
      ? table.update(key('busy'), { add })
      : table.transact([{ update: key('busy'), add }, { put: key(`busy ${number}`) }]);
  });
  await Promise.all(updates);
  expect(await table.get(key('busy'), { consistent: true })).toMatchObject({ count: 40 });
});
