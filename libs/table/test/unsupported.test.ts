import { connect, metric, startTable, until } from './table-fixture.ts';
import type { ProxiedRequest, Reply } from './fault-proxy.ts';
import type { TableFixture } from './table-fixture.ts';

let fixture: TableFixture;
beforeAll(async () => {
  fixture = await startTable();
});
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.proxy.reply = () => 'forward';
});

const key = { pk: 'p', sk: 's' };

/** Alternator's words (scylladb/scylladb#29138); it ignores what a Query asks for (#5027). */
const message = 'INDEXES consumed capacity is not supported.';
const refusesIndexes = ({ operation, body }: ProxiedRequest): Reply =>
  operation === 'Query' || body['ReturnConsumedCapacity'] !== 'INDEXES'
    ? 'forward'
    : { status: 400, type: 'ValidationException', more: { message } };

it('what knows no operation at all is no table', async () => {
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

describe('words of an item in an error', () => {
  const words = 'our consumed capacity: returnConsumedCapacity';
  const message = `1 validation error detected: Value '{note=${words}}' at 'item' failed`;
  const refusesNotes = ({ operation, body }: ProxiedRequest): Reply =>
    ['BatchWriteItem', 'PutItem'].includes(operation) && JSON.stringify(body).includes(words)
      ? { status: 400, type: 'ValidationException', more: { message } }
      : 'forward';

  it('make only that item refused, and hold up no other', async () => {
    fixture.proxy.reply = refusesNotes;
    const writer = fixture.table.batchWriter();
    const good = [1, 2, 3].map((number) => writer.put({ ...key, sk: `good ${number}` }));
    const bad = writer.put({ ...key, sk: 'bad', note: words });
    await expect(bad).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
    await Promise.all(good);
    writer.close();
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });

  it('are not taken for those of the API where one item is put', async () => {
    fixture.proxy.reply = refusesNotes;
    const put = fixture.table.put({ ...key, note: words });
    await expect(put).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
    expect(fixture.table.unavailableReason()).toBeUndefined();
  });
});

describe('an API that refuses to report units by index', () => {
  it('is never ready, and says what to set, also while queries succeed', async () => {
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

  it('is ready where it is asked for the sum', async () => {
    fixture.proxy.reply = refusesIndexes;
    const { tableName } = fixture.table;
    const { endpoint } = fixture.proxy;
    const { table } = connect(tableName, endpoint, 300, undefined, 'total');
    await table.waitUntilReady(AbortSignal.timeout(120_000));
    await table.put(key);
    expect(table.unavailableReason()).toBeUndefined();
    table.close();
  });

  it('makes no item invalid: the writer holds it until it is taken', async () => {
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

it('an API without transactions is a problem of what takes one, and of nothing else', async () => {
  const unknown = { status: 400, type: 'UnknownOperationException' };
  fixture.proxy.reply = ({ operation }) => (operation.includes('Transact') ? unknown : 'forward');
  const sent = () => fixture.proxy.of('TransactWriteItems').length;
  const before = sent();
  for (let time = 0; time < 5; time++) {
    const refused = fixture.table.transact([{ put: key }]);
    await expect(refused).rejects.toMatchObject({ code: 'not-supported-by-table' });
    await expect(refused).rejects.not.toThrow('words of AWS');
  }
  // Tried again it would be no other.
  expect(sent()).toBe(before + 5);
  expect(fixture.table.unavailableReason()).toBeUndefined();
  await fixture.table.put(key);
});
