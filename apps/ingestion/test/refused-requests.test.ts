import { dynamoDbError, openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { ProxiedResponse } from '@engawa/testing';
import type { TableProxy } from './table-proxy.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
let proxy: TableProxy;

beforeAll(async () => {
  proxy = await fixture.openProxy();
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
});
beforeEach(() => (proxy.fateOf = () => 'answered'));

const send = (device: string, time = Date.now()) =>
  fixture.publish(`engawa/${device}/readings`, JSON.stringify([{ ts: time, x: 1 }]));
const stored = async (device: string) => (await fixture.readingsOf(device)).length;
const storedOf = async (devices: readonly string[]) =>
  (await Promise.all(devices.map(stored))).reduce((sum, count) => sum + count, 0);
const unacknowledged = () => fixture.metric('engawa_ingest_unacknowledged_messages');
const deadLetters = () => fixture.items(`DLQ#${new Date().toISOString().slice(0, 10)}#0`);

/** Batches with an item of a key that begins with `DEVICE#` and these words get the answer. */
function refuse(words: string, answer: ProxiedResponse | 'cut'): void {
  proxy.fateOf = ({ operation, body }) =>
    operation === 'BatchWriteItem' && body.includes(`DEVICE#${words}`) ? answer : 'answered';
}

const answerOf = (status: number, text: string) => ({ status, body: text });

/** Answers that depend on one item, and do not say that it can never be stored. */
const answers: readonly [name: string, answer: ProxiedResponse | 'cut'][] = [
  ['403 in JSON', answerOf(403, '{"error":"forbidden"}')],
  ['403 in HTML', answerOf(403, '<html>blocked</html>')],
  ['404 in JSON', answerOf(404, '{"message":"no Route matched"}')],
  ['400 in HTML', answerOf(400, '<html>bad request</html>')],
  ['an IAM condition on dynamodb:LeadingKeys', dynamoDbError('AccessDeniedException')],
  ['502 for this item', answerOf(502, '<html>bad gateway</html>')],
  ['a connection that ends', 'cut'],
];

describe('one item that is refused waits, and all others are stored', () => {
  it.each(answers)('%s', async (name, answer) => {
    const kind = answers.findIndex(([each]) => each === name);
    const others = Array.from({ length: 30 }, (_, number) => `other-${kind}-${number}`);
    const poison = `poison-${kind}`;
    for (const device of [...others, poison]) await send(device);
    await until('the devices', async () => (await storedOf([...others, poison])) === 31);
    refuse(poison, answer);
    // In the middle of others, so that they share its batch; then further readings of all.
    for (let round = 1; round <= 3; round++) {
      await Promise.all(
        [...others.slice(15), poison, ...others.slice(0, 15)].map((id) => send(id)),
      );
      await until('all others', async () => (await storedOf(others)) === 30 * (round + 1));
    }
    await until('their acknowledgements', async () => (await unacknowledged()) === 3);
    expect(await stored(poison)).toBe(1);
    proxy.fateOf = () => 'answered';
    await until('the refused item', async () => (await stored(poison)) === 4);
    await until('its acknowledgement', async () => (await unacknowledged()) === 0);
    expect(await deadLetters()).toEqual([]);
  });
});

it('an item that is too large alone becomes a dead letter, and all others are stored', async () => {
  const devices = Array.from({ length: 10 }, (_, number) => `beside-${number}`);
  refuse('large', answerOf(413, '<html><h1>413 Request Entity Too Large</h1></html>'));
  await Promise.all([...devices, 'large'].map((device) => send(device)));
  await until('all others', async () => (await storedOf(devices)) === 10);
  await until('the dead letter', async () => (await deadLetters()).length === 1);
  await until('every acknowledgement', async () => (await unacknowledged()) === 0);
  expect((await deadLetters())[0]).toMatchObject({ reason: 'refused_by_table' });
});

it('large dead letters are stored through a proxy that allows requests of 1 MiB', async () => {
  const limit = 1024 * 1024;
  let largest = 0;
  proxy.fateOf = ({ operation, body }) => {
    if (operation !== 'BatchWriteItem') return 'answered';
    largest = Math.max(largest, Buffer.byteLength(body));
    return Buffer.byteLength(body) > limit ? answerOf(413, '<html>413</html>') : 'answered';
  };
  const before = (await deadLetters()).length;
  const payload = Buffer.alloc(200_000, 'no JSON ');
  await Promise.all(
    Array.from({ length: 16 }, () => fixture.publish('engawa/t/readings', payload)),
  );
  await until('the dead letters', async () => (await deadLetters()).length === before + 16);
  await send('after');
  await until('a reading', async () => (await stored('after')) === 1);
  expect(largest).toBeLessThan(1_000_000);
});
