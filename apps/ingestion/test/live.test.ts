import { describeOnEmbedded, openBeforeEach, TokenIssuer, until } from '@engawa/testing';
import { LiveFixture } from './live-fixture.ts';

const fixture = openBeforeEach(() => LiveFixture.open());

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('GET /v1/live', () => {
  it('sends a reading of a message with its place, room, time and all digits', async () => {
    await fixture.place('居間-1', { place: 'home', room: 'living', since: 0 });
    await fixture.start();
    const client = await fixture.listen();
    const ts = ago(1);
    const payload = `{"ts":"${ts}","temperature":21.40,"total":12345678901234567890.5,"on":true}`;
    await fixture.ingestion.publish('engawa/居間-1/readings', payload);
    await client.received(1);
    const [{ id, event, data } = { data: undefined }] = client.events;
    expect(event).toBe('reading');
    expect(id).toMatch(/^[\da-f]{12}:\d+$/);
    expect(data).toMatchObject({ device: '居間-1', place: 'home', room: 'living', time: ts });
    expect(Object.keys((data as { fields: object }).fields)).toEqual([
      'temperature',
      'total',
      'on',
    ]);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
  });

  it('sends readings of a device in the order of their storage, each once', async () => {
    await fixture.start();
    const client = await fixture.listen('?device=a');
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    for (const number of numbers) await fixture.send('a', number);
    await client.received(200);
    expect(client.numbers).toEqual(numbers);
    const ids = client.events.map(({ id = '' }) => Number(id.split(':')[1]));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(await fixture.ingestion.metric('engawa_ingest_live_events_total')).toBe(200);
  });

  it('sends readings over HTTP, and of replayed dead letters', async () => {
    const { ingestion } = fixture;
    await fixture.start({ DEVICE_ADMISSION: 'closed' });
    await fixture.send('stranger', 2);
    await ingestion.settled(1);
    await ingestion.service?.close();
    await fixture.start();
    const client = await fixture.listen();
    await fixture.upload('http', [
      { ts: ago(3), x: 0 },
      { ts: ago(2), x: 1 },
    ]);
    const { items } = (await ingestion.ask('/v1/deadLetters')).body as { items: { id: string }[] };
    await ingestion.post(`/v1/deadLetters/${items[0]?.id}/replay`);
    await client.received(3);
    expect(client.numbers).toEqual([0, 1, 2]);
  });

  it('answers HEAD, and invalid filters with a problem', async () => {
    await fixture.start();
    const { api } = fixture.ingestion;
    const head = await fetch(`${api}/v1/live`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    for (const query of [
      '?room=hall',
      '?room=a/b/c',
      '?room=/b',
      '?room=a/%25',
      '?place=',
      '?x=1',
    ]) {
      const answer = await fixture.ingestion.ask(`/v1/live${query}`);
      expect(answer).toMatchObject({ status: 400, body: { type: '/problems/invalid-request' } });
    }
    expect(await fixture.ingestion.metric('engawa_ingest_live_listeners')).toBe(0);
  });

  it('rejects listeners beyond MAX_LIVE_LISTENERS with advice, until one leaves', async () => {
    await fixture.start({ MAX_LIVE_LISTENERS: '2' });
    const first = await fixture.listen();
    await fixture.listen();
    const answer = await fixture.ingestion.ask('/v1/live');
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/overloaded' } });
    expect((answer.body as { detail: string }).detail).toContain('MAX_LIVE_LISTENERS');
    expect(await fixture.ingestion.metric('engawa_ingest_live_rejected_listeners_total')).toBe(1);
    first.close();
    const listeners = () => fixture.ingestion.metric('engawa_ingest_live_listeners');
    await until('one listener', async () => (await listeners()) === 1);
    expect((await fixture.listen()).response.statusCode).toBe(200);
  });

  it('leaves connections for another client when one has its share', async () => {
    const issuer = await TokenIssuer.start();
    await fixture.start({
      ...issuer.environment,
      AUTH_PLACES_CLAIM: 'places',
      MAX_LIVE_LISTENERS: '30',
    });
    const as = async (sub: string) => ({
      authorization: `Bearer ${await issuer.token({ sub, scope: 'ingestion:read', places: '*' })}`,
    });
    const statuses = async (sub: string) => {
      const clients = [];
      for (let index = 0; index < 30; index++) {
        clients.push(await fixture.listen('', await as(sub)));
      }
      const accepted = clients.filter(({ response }) => response.statusCode === 200);
      const rejected = clients.filter(({ response }) => response.statusCode === 429);
      expect(accepted.length + rejected.length).toBe(30);
      expect(rejected.every(({ response }) => response.headers['retry-after'] === '1')).toBe(true);
      return accepted;
    };
    const greedy = await statuses('greedy');
    expect(greedy).toHaveLength(20); // two thirds
    expect((await statuses('second')).length).toBe(7); // two thirds of the others
    expect((await fixture.listen('', await as('third'))).response.statusCode).toBe(200);
    const rejected = 'engawa_ingest_live_rejected_listeners_total';
    expect(await fixture.ingestion.metric(rejected)).toBe(0);
    // Its share is free again when its streams end.
    for (const client of greedy) client.close();
    const listeners = () => fixture.ingestion.metric('engawa_ingest_live_listeners');
    await until('fewer listeners', async () => (await listeners()) === 8);
    expect((await fixture.listen('', await as('greedy'))).response.statusCode).toBe(200);
    await issuer.close();
  });

  it('rejects all listeners while MAX_LIVE_LISTENERS is 0, and does not count them', async () => {
    await fixture.start({ MAX_LIVE_LISTENERS: '0' });
    expect(await fixture.ingestion.ask('/v1/live')).toMatchObject({ status: 503 });
    expect(await fixture.ingestion.metric('engawa_ingest_live_rejected_listeners_total')).toBe(0);
  });

  it('ends its streams when the service closes, after the last readings', async () => {
    await fixture.start({ LINGER_MS: '60000' });
    const client = await fixture.listen();
    await fixture.send('a', 1);
    const waiting = () => fixture.ingestion.metric('engawa_ingest_unacknowledged_messages');
    await until('a lingering reading', async () => (await waiting()) === 1);
    expect(client.numbers).toEqual([]);
    await fixture.ingestion.service?.close();
    await until('the end', () => client.isEnded);
    expect(client.numbers).toEqual([1]);
    expect(client.response.complete).toBe(true);
  });
});

describeOnEmbedded('puts a proxy before the engine', 'a reading', () => {
  it('is not sent before it is durable, and never if the table rejects it', async () => {
    const proxy = await fixture.ingestion.openProxy();
    const held = Promise.withResolvers<undefined>();
    let isHolding = false;
    proxy.fateOf = async ({ operation, body }) => {
      if (operation !== 'BatchWriteItem') return 'answered';
      if (body.includes('DEVICE#bad')) return 'refused';
      if (body.includes('DEVICE#slow')) {
        isHolding = true;
        await held.promise;
      }
      return 'answered';
    };
    await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    const client = await fixture.listen();
    await fixture.send('slow', 1);
    await until('a write in flight', () => isHolding);
    await fixture.send('bad', 2);
    await fixture.send('good', 3);
    await client.received(1);
    expect(client.numbers).toEqual([3]);
    held.resolve(undefined);
    await client.received(2);
    await fixture.ingestion.settled(3);
    await fixture.send('good', 4);
    await client.received(3);
    expect(client.numbers).toEqual([3, 1, 4]);
  });

  it('that is parked is sent once it is stored at its device, not when it is acknowledged', async () => {
    const proxy = await fixture.ingestion.openProxy();
    let isThrottled = true;
    proxy.fateOf = ({ operation, body }) => {
      const isWrite = operation === 'BatchWriteItem' && body.includes('DEVICE#hot');
      return isWrite && isThrottled ? 'throttled' : 'answered';
    };
    await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    const client = await fixture.listen('?device=hot');
    await fixture.send('hot', 1);
    await fixture.ingestion.settled(1);
    expect(await fixture.ingestion.metric('engawa_ingest_parked_blocks_total')).toBe(1);
    expect(client.numbers).toEqual([]);
    isThrottled = false;
    await client.received(1);
    expect(client.numbers).toEqual([1]);
  });
});
