import { openBeforeAll } from '@engawa/testing';
import { accessDenied, throttled } from './fault-proxy.ts';
import { startTable } from './table-fixture.ts';
import type { Reply } from './fault-proxy.ts';

const fixture = openBeforeAll(startTable);
beforeEach(() => (fixture.proxy.reply = () => 'forward'));

async function putMany(pk: string, count: number) {
  const keys = Array.from({ length: count }, (_, number) => ({ pk, sk: String(number) }));
  const writer = fixture.table.batchWriter();
  await Promise.all(keys.map((key) => writer.put(key)));
  writer.close();
  return keys;
}

const countLeft = async (pk: string) => (await fixture.table.query({ pk })).items.length;

function batchesBy(action: () => Promise<void>): Promise<Record<string, unknown>[]> {
  const before = fixture.proxy.of('BatchWriteItem').length;
  return action().then(() =>
    fixture.proxy
      .of('BatchWriteItem')
      .slice(before)
      .map(({ body }) => body),
  );
}

/** Returns these replies to the first batches, and normal ones afterwards. */
function failFirst(times: number, reply: Reply): void {
  let batches = 0;
  fixture.proxy.reply = () => (++batches <= times ? reply : 'forward');
}

it('deletes all given items and no others, with a request per 25', async () => {
  const keys = await putMany('all', 61);
  const gone = [...keys.slice(0, 60), { pk: 'all', sk: 'never there' }];
  const batches = await batchesBy(() => fixture.table.deleteAll(gone));
  expect(batches).toHaveLength(3);
  expect((await fixture.table.query({ pk: 'all' })).items).toEqual(keys.slice(60));
});

it('sends no request for an empty list', async () => {
  expect(await batchesBy(() => fixture.table.deleteAll([]))).toEqual([]);
});

it('deletes once a key that is named twice', async () => {
  const keys = await putMany('twice', 3);
  await fixture.table.deleteAll([...keys, ...keys]);
  expect(await countLeft('twice')).toBe(0);
});

it('retries only the unprocessed keys', async () => {
  const keys = await putMany('part', 20);
  failFirst(1, { giveBack: ({ sk }) => sk.endsWith('3') });
  const batches = await batchesBy(() => fixture.table.deleteAll(keys));
  const sizes = batches.map((body) => Object.values(body['RequestItems'] ?? {}).flat().length);
  expect(sizes).toEqual([20, 2]);
  expect(await countLeft('part')).toBe(0);
});

it.each<Reply>([
  throttled,
  { status: 400, type: 'TransactionConflictException' },
  { status: 500, type: 'InternalServerError' },
  'reset after it took place',
])('continues after %j', async (reply) => {
  const name = `again ${JSON.stringify(reply)}`;
  const keys = await putMany(name, 30);
  failFirst(2, reply);
  await fixture.table.deleteAll(keys);
  expect(await countLeft(name)).toBe(0);
});

it("outlasts a throttling beyond the SDK's own retries", async () => {
  const keys = await putMany('hot', 3);
  failFirst(7, throttled);
  await fixture.table.deleteAll(keys);
  expect(await countLeft('hot')).toBe(0);
});

it('reports the reason of an error that no retry fixes', async () => {
  const keys = await putMany('denied', 1);
  fixture.proxy.reply = () => accessDenied;
  await expect(fixture.table.deleteAll(keys)).rejects.toMatchObject({ code: 'table-unavailable' });
});

it('ends when its signal aborts, also between two attempts', async () => {
  const keys = await putMany('aborted', 30);
  const aborting = new AbortController();
  const reason = new Error('enough');
  let batches = 0;
  fixture.proxy.reply = () => {
    if (++batches === 2) aborting.abort(reason);
    return batches === 1 ? 'forward' : throttled;
  };
  const deletion = fixture.table.deleteAll(keys, { signal: aborting.signal });
  await expect(deletion).rejects.toBe(reason);
  fixture.proxy.reply = () => 'forward';
  expect(await countLeft('aborted')).toBe(5);
});
