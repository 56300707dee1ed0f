import { openBeforeEach, TokenIssuer, until } from '@engawa/testing';
import { LiveFixture } from './live-fixture.ts';

const hour = 3_600_000;

const fixture = openBeforeEach(() => LiveFixture.open());
beforeEach(async () => {
  const there = { since: Date.now() - hour };
  await fixture.place('a', { place: 'own', room: 'hall', ...there });
  await fixture.place('b', { place: 'own', room: 'attic', ...there });
  await fixture.place('c', { place: 'other', room: 'hall', ...there });
  await fixture.place('d');
});

/** Sends one reading of each device; the last one shows that the others have been sent. */
async function sendAll(): Promise<void> {
  for (const [x, device] of ['a', 'b', 'c', 'd'].entries()) {
    await fixture.upload(device, [{ x }]);
  }
}

describe('the filters of GET /v1/live', () => {
  beforeEach(() => fixture.start());

  it.each([
    ['', [0, 1, 2, 3]],
    ['?device=a', [0]],
    ['?device=a&device=d', [0, 3]],
    ['?place=own', [0, 1]],
    ['?room=own/hall', [0]],
    ['?room=own/hall&room=other/hall', [0, 2]],
    ['?room=own%2Fattic&place=other&device=d', [1, 2, 3]],
    ['?device=a&place=own&room=own/hall', [0, 1]],
    ['?device=unknown', []],
  ])('select readings that any of them selects: %s', async (query, numbers) => {
    const [client, all] = [await fixture.listen(query), await fixture.listen()];
    await sendAll();
    await all.received(4);
    await client.received(numbers.length);
    expect(client.numbers).toEqual(numbers);
  });

  it('select by the place at the time of the reading', async () => {
    const [client, all] = [await fixture.listen('?place=own'), await fixture.listen()];
    await fixture.upload('a', [{ ts: Date.now() - 2 * hour, x: 1 }, { x: 2 }]);
    await all.received(2);
    await client.received(1);
    expect(client.numbers).toEqual([2]);
    expect(all.readings[0]).not.toHaveProperty('place');
    expect(all.readings[1]).toMatchObject({ place: 'own', room: 'hall' });
  });

  it('follow a device that moves, after five seconds', async () => {
    const [client, all] = [await fixture.listen('?place=new'), await fixture.listen()];
    await fixture.upload('a', [{ x: 1 }]);
    await all.received(1);
    await fixture.change('a', { place: 'new', room: 'hall', since: Date.now() });
    fixture.elapse(5000);
    await fixture.upload('a', [{ x: 2 }]);
    await client.received(1);
    expect(client.readings).toMatchObject([{ place: 'new', fields: { x: 2 } }]);
  });
});

describe('a device', () => {
  it('that is pending is shown once it is approved', async () => {
    await fixture.start({ DEVICE_ADMISSION: 'pending' });
    const client = await fixture.listen();
    await fixture.upload('new', [{ x: 1 }]);
    await fixture.upload('a', [{ x: 2 }]);
    await client.received(1);
    expect(client.numbers).toEqual([2]);
    await fixture.change('new', { status: 'active' });
    fixture.elapse(5000);
    await fixture.upload('new', [{ x: 3 }]);
    await client.received(2);
    expect(client.numbers).toEqual([2, 3]);
  });

  it('that is deleted is hidden', async () => {
    await fixture.start();
    const client = await fixture.listen();
    await fixture.upload('d', [{ x: 1 }]);
    await client.received(1);
    await fixture.change('d', { deletion: 'purge', deletedAt: Date.now() });
    fixture.elapse(5000);
    await fixture.upload('d', [{ x: 2 }]);
    await fixture.upload('a', [{ x: 3 }]);
    await client.received(2);
    expect(client.numbers).toEqual([1, 3]);
  });
});

describe('a token', () => {
  const issuer = openBeforeEach(() => TokenIssuer.start());
  beforeEach(async () => {
    const environment = { ...issuer.environment, AUTH_PLACES_CLAIM: 'places' };
    await fixture.start({ ...environment, AUTH_CLOCK_TOLERANCE_S: '0' });
  });

  const withToken = async (claims: Record<string, unknown>) => ({
    authorization: `Bearer ${await issuer.token(claims)}`,
  });

  it('shows only readings that were taken at its places, with every filter', async () => {
    const scope = 'ingestion:read';
    const own = await withToken({ scope, places: ['ow*'] });
    const all = await fixture.listen('', await withToken({ scope, places: '*' }));
    const clients = [
      await fixture.listen('', own),
      await fixture.listen('?place=own&place=other', own),
      await fixture.listen('?device=a&device=b&device=c&device=d', own),
      await fixture.listen('?room=own/hall&room=own/attic&room=other/hall', own),
    ];
    const none = await fixture.listen('', await withToken({ scope }));
    for (const [x, device] of ['c', 'd', 'a', 'b'].entries()) {
      await fixture.send(device, x);
    }
    await all.received(4);
    for (const client of clients) {
      await client.received(2);
      expect(client.numbers.toSorted()).toEqual([2, 3]);
    }
    expect(none.events).toEqual([]);
  });

  it('is required, with the scope ingestion:read', async () => {
    const scope = 'query:read';
    expect((await fixture.listen()).response.statusCode).toBe(401);
    const other = await fixture.listen('', await withToken({ scope, places: '*' }));
    expect(other.response.statusCode).toBe(403);
  });

  it('ends the stream when it expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2;
    const headers = await withToken({ scope: 'ingestion:read', places: '*', exp });
    const client = await fixture.listen('', headers);
    await until('the end', () => client.isEnded);
    expect(client.response.complete).toBe(true);
    const listeners = () => fixture.ingestion.metric('engawa_ingest_live_listeners');
    await until('no listener', async () => (await listeners()) === 0);
  });
});
