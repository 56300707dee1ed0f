import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import { Replica } from './replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TableProxy } from './table-proxy.ts';

interface ManyReplayed {
  replayed: number;
  stored: number;
  missing: number;
  stayed: unknown[];
}

const endedMetric = 'engawa_ingest_dead_letters_ended_total';
const day = () => new Date().toISOString().slice(0, 10);
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const fixture = openBeforeEach(() => IngestionFixture.open());
let proxy: TableProxy;
beforeEach(async () => {
  proxy = await fixture.openProxy();
});

const items = () => fixture.items(`DLQ#${day()}#0`);
const settings = () => ({ DYNAMODB_ENDPOINT: proxy.endpoint });

/** Dead letters of a device that is admitted afterwards. */
async function keepStrangers(payloads: readonly string[]): Promise<string[]> {
  await fixture.start({ DEVICE_ADMISSION: 'closed' });
  for (const payload of payloads) await fixture.publish('engawa/stranger/readings', payload);
  await fixture.settled(payloads.length);
  const { body } = await fixture.ask('/v1/deadLetters');
  await fixture.service?.close();
  return (body as { items: { id: string }[] }).items.map(({ id }) => id);
}

const isRemoval = ({ operation, body }: ProxiedRequest) =>
  operation === 'DeleteItem' && body.includes('DLQ#');

/** Holds removals of dead letters until there are so many: then both replays have stored the readings. */
function holdRemovals(count: number): void {
  let held = 0;
  const { promise, resolve } = Promise.withResolvers<'answered'>();
  proxy.fateOf = (request) => {
    if (!isRemoval(request)) return 'answered';
    held += 1;
    if (held === count) resolve('answered');
    return promise;
  };
}

function replayAll(api: string): Promise<ManyReplayed> {
  return post<ManyReplayed>(`${api}/v1/deadLetters/replay`, JSON.stringify({ day: day() }));
}

async function post<Body>(url: string, body: string): Promise<Body> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Body;
}

/** Three messages with five readings; two have no time of their own. */
const payloads = () => [
  `[{"x":1},{"ts":"${ago(5)}","x":2}]`,
  `[{"ts":"${ago(4)}","x":3},{"x":4}]`,
  `{"ts":"${ago(3)}","x":5}`,
];

function expectOnce(answers: readonly ManyReplayed[]): void {
  const sum = (name: 'replayed' | 'stored' | 'missing') =>
    answers.reduce((all, answer) => all + answer[name], 0);
  expect([sum('replayed'), sum('stored'), sum('missing')]).toEqual([3, 5, 3]);
  expect(answers.flatMap(({ stayed }) => stayed)).toEqual([]);
}

async function expectStored(): Promise<void> {
  const readings = await fixture.readingsOf('stranger');
  expect(readings.map(({ fields }) => fields['x']).toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(await items()).toEqual([]);
}

describe('two replays at the same time count each dead letter once, and store its readings once', () => {
  it('in one process', async () => {
    await keepStrangers(payloads());
    await fixture.start(settings());
    holdRemovals(6);
    expectOnce(await Promise.all([replayAll(fixture.api), replayAll(fixture.api)]));
    await expectStored();
    expect(await fixture.metric(endedMetric)).toBe(3);
  });

  it('in two replicas', async () => {
    await keepStrangers(payloads());
    const replicas = await Promise.all(
      ['ingestion-0', 'ingestion-1'].map((name) =>
        Replica.start({ ...fixture.environment, ...settings(), MQTT_CLIENT_ID: name }),
      ),
    );
    try {
      holdRemovals(6);
      expectOnce(await Promise.all(replicas.map(({ api }) => replayAll(api))));
      await expectStored();
      const ended = await Promise.all(replicas.map((one) => one.metric(endedMetric)));
      expect(ended.reduce((sum, count) => sum + count, 0)).toBe(3);
    } finally {
      await Promise.all(replicas.map((one) => one.close()));
    }
  });
});

const discard = (id: string) => fixture.ask(`/v1/deadLetters/${id}`, { method: 'DELETE' });

it('a replay and a discard at the same time count the dead letter once', async () => {
  const [id = ''] = await keepStrangers(payloads().slice(0, 1));
  await fixture.start(settings());
  holdRemovals(2);
  const body = JSON.stringify({ ids: [id] });
  const many = (path: string) => fixture.post(`/v1/deadLetters/${path}`, body);
  const answers = await Promise.all([many('replay'), many('discard')]);
  const [replay, discarded] = answers.map((answer) => answer.body as Record<string, number>);
  expect((replay?.['replayed'] ?? 0) + (discarded?.['discarded'] ?? 0)).toBe(1);
  expect((replay?.['missing'] ?? 0) + (discarded?.['missing'] ?? 0)).toBe(1);
  expect(await fixture.metric(endedMetric)).toBe(1);
});

it.each(['replay', 'preview'])(
  'a %s of a dead letter that is removed before its parts are read finds no dead letter',
  async (what) => {
    const note = 'x'.repeat(500);
    const many = Array.from({ length: 1000 }, (_, index) => ({ ts: ago(index), note, x: index }));
    const [id = ''] = await keepStrangers([JSON.stringify(many)]);
    await fixture.start(settings());
    const { promise, resolve } = Promise.withResolvers<'answered'>();
    let isHeld = false;
    proxy.fateOf = ({ operation, body }) => {
      if (operation !== 'GetItem' || !body.includes(`${id}#0001`)) return 'answered';
      isHeld = true;
      return promise;
    };
    const method = what === 'replay' ? 'POST' : 'GET';
    const answer = fixture.ask(`/v1/deadLetters/${id}/${what}`, { method });
    await until('a read of the parts', () => isHeld);
    expect(await discard(id)).toMatchObject({ status: 204 });
    resolve('answered');
    const notFound = { status: 404, body: { type: '/problems/dead-letter-not-found' } };
    expect(await answer).toMatchObject(notFound);
  },
);
