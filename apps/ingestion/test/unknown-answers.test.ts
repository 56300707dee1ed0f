import { dynamoDbError, openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { ProxiedResponse } from '@engawa/testing';
import type { TableProxy } from './table-proxy.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
let proxy: TableProxy;

const html = (status: number) => ({ status, body: `<html><h1>${status}</h1></html>` });
const json = (status: number, body: object, headers = {}): ProxiedResponse => ({
  ...{ status, headers },
  body: JSON.stringify(body),
});

/** Answers of proxies, gateways and DynamoDB that say nothing final about the request. */
const answers: Readonly<Record<string, ProxiedResponse>> = {
  'a gateway that forbids': json(403, { error: 'forbidden' }),
  'a firewall': html(403),
  'a gateway without a route': json(404, { message: 'no Route matched with those values' }),
  'a web server without a page': html(404),
  'a proxy that cannot parse': html(400),
  'a timeout of the server': { ...dynamoDbError('RequestTimeoutException'), status: 408 },
  'a write in another region': dynamoDbError('ReplicatedWriteConflictException'),
  'an exception of the future': dynamoDbError('SomethingNewException'),
  'a store that is slow': { ...dynamoDbError('SlowDown'), status: 503 },
  'a mesh with an empty success': json(200, {}),
  'a portal with a login page': html(200),
  'a success without an object': { status: 200, body: 'null' },
  'a body changed on its way': json(200, { UnprocessedItems: {} }, { 'x-amz-crc32': '1' }),
};
const names = Object.keys(answers);
const deviceOf = (name: string) => `new-${names.indexOf(name)}-`;

beforeAll(async () => {
  proxy = await fixture.openProxy();
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
});
beforeEach(() => (proxy.fateOf = () => 'answered'));

const send = (device: string, reading: object = { ts: Date.now(), x: 1 }) =>
  fixture.publish(`engawa/${device}/readings`, JSON.stringify([reading]));
const stored = async (device: string) => (await fixture.readingsOf(device)).length;
const today = () => new Date().toISOString().slice(0, 10);
const deadLetters = () => fixture.items(`DLQ#${today()}#0`);
const unacknowledged = () => fixture.metric('engawa_ingest_unacknowledged_messages');

/** The answer to each request whose body has the words. */
const toRequests = (operation: string, words: string, answer: ProxiedResponse | 'cut') => {
  let count = 0;
  proxy.fateOf = (request) => {
    if (request.operation !== operation || !request.body.includes(words)) return 'answered';
    count += 1;
    return answer;
  };
  return () => count;
};

describe('a reading of a new device is stored once the answers are those of DynamoDB', () => {
  const left = new Map(names.map((name) => [name, 6]));

  beforeAll(async () => {
    proxy.fateOf = ({ body }) => {
      const name = names.find(
        (each) => body.includes(deviceOf(each)) && Number(left.get(each)) > 0,
      );
      if (name === undefined) return 'answered';
      left.set(name, Number(left.get(name)) - 1);
      return answers[name] ?? 'answered';
    };
    await Promise.all(names.map((name) => send(deviceOf(name))));
    await until('the last of the answers', () => [...left.values()].every((count) => count === 0));
    await until('every acknowledgement', async () => (await unacknowledged()) === 0);
  });

  it.each(names)('%s', async (name) => {
    expect(await stored(deviceOf(name))).toBe(1);
  });

  it('and none is a dead letter', async () => {
    expect(await deadLetters()).toEqual([]);
  });
});

it.each([
  'a mesh with an empty success',
  'a portal with a login page',
  'a body changed on its way',
])('a reading of a known device is not acknowledged: %s', async (name) => {
  const device = `known-${names.indexOf(name)}`;
  await send(device);
  await until('the device', async () => (await stored(device)) === 1);
  const answered = toRequests('BatchWriteItem', device, answers[name] ?? 'cut');
  await send(device);
  await until('some answers', () => answered() >= 4);
  expect(await unacknowledged()).toBe(1);
  proxy.fateOf = () => 'answered';
  await until('the reading', async () => (await stored(device)) === 2);
  await until('its acknowledgement', async () => (await unacknowledged()) === 0);
});
