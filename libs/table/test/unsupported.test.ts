import { openBeforeAll } from '@engawa/testing';
import { connect, metric, startTable, until } from './table-fixture.ts';
import type { ReceivedRequest, Reply } from './fault-proxy.ts';

const fixture = openBeforeAll(startTable);
beforeEach(() => {
  fixture.proxy.reply = () => 'forward';
});

const key = { pk: 'p', sk: 's' };

/** Alternator's error text (scylladb/scylladb#29138); it ignores the parameter for a Query (#5027). */
const message = 'INDEXES consumed capacity is not supported.';
const refusesIndexes = ({ operation, body }: ReceivedRequest): Reply =>
  operation === 'Query' || body['ReturnConsumedCapacity'] !== 'INDEXES'
    ? 'forward'
    : { status: 400, type: 'ValidationException', more: { message } };

it('rejects an API that supports no operation', async () => {
  fixture.proxy.reply = () => ({ status: 400, type: 'UnknownOperationException' });
  const { table, logged } = connect(fixture.table.tableName, fixture.proxy.endpoint);
  const waiting = new AbortController();
  const ready = table.waitUntilReady(waiting.signal);
  await until(() => logged.includes('waiting for the table'));
  expect(table.unavailableReason()).toMatch(
    /^table \S+ cannot be reached at http:\S+: it responds with 400$/,
  );
  fixture.proxy.reply = () => 'forward';
  await ready;
  table.close();
});

describe('an error that quotes an item with the words of the API', () => {
  const words = 'our consumed capacity: returnConsumedCapacity';
  const message = `1 validation error detected: Value '{note=${words}}' at 'item' failed`;
  const refusesNotes = ({ operation, body }: ReceivedRequest): Reply =>
    ['BatchWriteItem', 'PutItem'].includes(operation) && JSON.stringify(body).includes(words)
      ? { status: 400, type: 'ValidationException', more: { message } }
      : 'forward';

  it('rejects only that item, and delays no other', async () => {
    fixture.proxy.reply = refusesNotes;
    const writer = fixture.table.batchWriter();
    const good = [1, 2, 3].map((number) => writer.put({ ...key, sk: `good ${number}` }));
    const bad = writer.put({ ...key, sk: 'bad', note: words });
    await expect(bad).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
    await Promise.all(good);
    writer.close();
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });

  it('is not taken for an API error of a single put', async () => {
    fixture.proxy.reply = refusesNotes;
    const put = fixture.table.put({ ...key, note: words });
    await expect(put).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });
});

describe('an API that rejects the report of units by index', () => {
  it('is never ready, and names the setting to change, also while queries succeed', async () => {
    fixture.proxy.reply = refusesIndexes;
    const { table, logged } = connect(fixture.table.tableName, fixture.proxy.endpoint);
    const waiting = new AbortController();
    const ready = table.waitUntilReady(waiting.signal);
    await until(() => logged.includes('waiting for the table'));
    await table.query({ pk: 'p' });
    expect(table.unavailableReason()).toMatch(
      /^the DynamoDB API at http:\S+ rejects .*INDEXES.*set DYNAMODB_CONSUMED_CAPACITY to total, or/,
    );
    waiting.abort();
    await expect(ready).rejects.toThrow();
    await expect(table.put(key)).rejects.toMatchObject({ code: 'table-unavailable' });
    table.close();
  });

  it('is ready with a report of the total', async () => {
    fixture.proxy.reply = refusesIndexes;
    const { tableName } = fixture.table;
    const { endpoint } = fixture.proxy;
    const { table } = connect(tableName, endpoint, 300, undefined, 'total');
    await table.waitUntilReady(AbortSignal.timeout(120_000));
    await table.put(key);
    expect(table.unavailableReason()).toBeUndefined();
    table.close();
  });

  it('makes no item invalid: the writer holds items until they are accepted', async () => {
    const writer = fixture.table.batchWriter();
    const refused = () => fixture.proxy.of('BatchWriteItem').length;
    const before = refused();
    fixture.proxy.reply = refusesIndexes;
    const stored = [1, 2].map((number) => writer.put({ ...key, sk: `held ${number}` }));
    await until(() => refused() > before + 1);
    expect(writer.pending).toBe(2);
    fixture.proxy.reply = () => 'forward';
    await Promise.all(stored);
    writer.close();
    const labels = { outcome: 'capacity_refused' };
    const name = 'engawa_table_attempts_total';
    expect(await metric(fixture.registry, name, labels)).toBeGreaterThan(1);
  });
});

it('causes a problem without transactions only for requests that need one', async () => {
  const unknown = { status: 400, type: 'UnknownOperationException' };
  fixture.proxy.reply = ({ operation }) => (operation.includes('Transact') ? unknown : 'forward');
  const sent = () => fixture.proxy.of('TransactWriteItems').length;
  const before = sent();
  for (let time = 0; time < 5; time++) {
    const refused = fixture.table.transact([{ put: key }]);
    await expect(refused).rejects.toMatchObject({ code: 'not-supported-by-table' });
    await expect(refused).rejects.not.toThrow('words of AWS');
  }
  // A retry would give the same error.
  expect(sent()).toBe(before + 5);
  expect(fixture.table.unavailableReason()).toBeUndefined();
  await fixture.table.put(key);
});
