import { inParallel } from '@engawa/http';
import { openBeforeAll, TokenIssuer } from '@engawa/testing';
import { pathOf } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
/** The devices came to the home then. */
const arrival = Date.now() - 5 * hour;

const issuer = openBeforeAll(() => TokenIssuer.start());
const registry = openBeforeAll(() =>
  startRegistry({ ...issuer.environment, AUTH_PLACES_CLAIM: 'places' }),
);
let authorization: Record<'everywhere' | 'at home', string>;
let devices = 0;

beforeAll(async () => {
  const token = async (places: string) =>
    `Bearer ${await issuer.token({ scope: 'registry:admin', sub: 'caller', places })}`;
  authorization = { everywhere: await token('*'), 'at home': await token('home') };
  for (const place of ['home', 'office']) {
    await put('everywhere', pathOf('places', place), { name: place });
  }
  await put('everywhere', pathOf('rooms', 'home', 'hall'), { name: 'hall' });
});

type Caller = 'everywhere' | 'at home';

function ask(caller: Caller, path: string, method = 'GET', body?: unknown): Promise<TestResponse> {
  const headers = { authorization: authorization[caller] };
  return registry.ask(path, { method, headers, ...(body !== undefined && { body }) });
}

const put = (caller: Caller, path: string, body: object = {}) => ask(caller, path, 'PUT', body);

const place = (device: string, at: string, since?: number) =>
  put('everywhere', pathOf('places', at, 'devices', device), since === undefined ? {} : { since });

/** A device that is at home now. @param former places where it was before, an hour each */
async function aDeviceAtHome(...former: string[]): Promise<string> {
  const id = `meter-${devices++}`;
  await put('everywhere', pathOf('devices', id));
  for (const [index, at] of former.entries()) {
    await place(id, at, arrival - (former.length - index) * hour);
  }
  await place(id, 'home', arrival);
  return id;
}

const correctionOf = (device: string, id = 'mine') => pathOf('devices', device, 'corrections', id);
const ignore = (from: number, to: number) => ({
  ...{ operation: 'ignore', from: iso(from), to: iso(to), why: 'a spike' },
});
const problem = (code: string) => expect.stringContaining(`/problems/${code}`) as string;
const tomorrow = Date.now() + 23 * hour;

describe('a correction of a token that is restricted to places', () => {
  it('applies to the stays there, as its answer says', async () => {
    const id = await aDeviceAtHome('home', 'office');
    const asked = ignore(arrival - 10 * hour, tomorrow);
    const { status, body } = await put('at home', correctionOf(id), asked);
    const stays = [
      { from: iso(arrival - 2 * hour), to: iso(arrival - hour) },
      { from: iso(arrival), to: iso(tomorrow) },
    ];
    expect([status, body]).toMatchObject([201, { ...asked, appliesTo: stays }]);
    expect((await ask('everywhere', correctionOf(id))).body).toEqual(body);
    const list = await ask('at home', pathOf('devices', id, 'corrections'));
    expect((list.body as { items: unknown[] }).items).toEqual([body]);
  });

  it('ends when the device moves to another place, and not when it moves to another room', async () => {
    const id = await aDeviceAtHome();
    const asked = ignore(arrival + hour, tomorrow);
    const { body } = await put('at home', correctionOf(id), asked);
    expect(body).not.toHaveProperty('appliesTo');
    await put('everywhere', pathOf('places', 'home', 'devices', id), { room: 'hall' });
    expect((await ask('everywhere', correctionOf(id))).body).toEqual(body);
    const left = Date.now() + 1000;
    await place(id, 'office', left);
    const appliesTo = [{ from: iso(arrival + hour), to: iso(left) }];
    expect((await ask('everywhere', correctionOf(id))).body).toMatchObject({ appliesTo });

    // Back at home, its own correction is still its own, and is not made again.
    await place(id, 'home', left + 1000);
    expect((await ask('at home', correctionOf(id))).body).toMatchObject({ ...asked, appliesTo });
    const again = await put('at home', correctionOf(id), asked);
    expect([again.status, again.body]).toMatchObject([200, { appliesTo }]);
    expect((await ask('at home', correctionOf(id), 'DELETE')).status).toBe(204);
  });

  it('ends also with a move that is recorded later than it happened', async () => {
    const id = await aDeviceAtHome();
    await put('at home', correctionOf(id), ignore(arrival + hour, arrival + 4 * hour));
    const left = arrival + 2 * hour;
    await place(id, 'office', left);
    const appliesTo = [{ from: iso(arrival + hour), to: iso(left) }];
    expect((await ask('everywhere', correctionOf(id))).body).toMatchObject({ appliesTo });
  });

  it('is not cut if the token is not restricted', async () => {
    const id = await aDeviceAtHome('office');
    const asked = ignore(arrival - 10 * hour, tomorrow);
    const { body } = await put('everywhere', correctionOf(id), asked);
    await place(id, 'office');
    expect(body).not.toHaveProperty('appliesTo');
    expect((await ask('everywhere', correctionOf(id))).body).toEqual(body);
  });

  it('accepts no replacement reading of a time elsewhere', async () => {
    const id = await aDeviceAtHome('office');
    const readings = [{ time: iso(arrival - 1), fields: { power: 1 } }];
    const range = { from: iso(arrival - hour), to: iso(arrival + hour) };
    const replacement = { operation: 'replace', ...range, readings, why: 'invented' };
    const { status, body } = await put('at home', correctionOf(id), replacement);
    expect([status, body]).toMatchObject([400, { errors: [{ path: 'body.readings' }] }]);
  });

  it('never reaches beyond a move at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => aDeviceAtHome()));
    const outcomes = { made: 0, refused: 0 };
    await inParallel(ids, 8, async (id) => {
      const [made, moved] = await Promise.all([
        put('at home', correctionOf(id), ignore(arrival, tomorrow)),
        place(id, 'office'),
      ]);
      expect([201, 404]).toContain(made.status);
      outcomes[made.status === 201 ? 'made' : 'refused'] += 1;
      if (made.status !== 201) return;
      const { since } = moved.body as { since: string };
      const { body } = await ask('everywhere', correctionOf(id));
      expect(body).toMatchObject({ appliesTo: [{ from: iso(arrival), to: since }] });
    });
    expect(outcomes.made + outcomes.refused).toBe(ids.length);
  });

  it('is refused once moves have cut fifty others', async () => {
    const id = await aDeviceAtHome();
    let time = Date.now() - 1000;
    for (let index = 0; index < 50; index++) {
      const made = await put('at home', correctionOf(id, `${index}`), ignore(time, tomorrow));
      expect(made.status).toBe(201);
      await place(id, 'office', (time += 1));
      await place(id, 'home', (time += 1));
    }
    const refused = await put('at home', correctionOf(id, 'more'), ignore(time, tomorrow));
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { type: problem('too-many-corrections') },
    ]);
    const all = await put('everywhere', correctionOf(id, 'more'), ignore(time, tomorrow));
    expect(all.status).toBe(201);
  });
});

describe('a token that is restricted to places', () => {
  it('learns why it cannot take a device away, hide it, or delete it with readings of elsewhere', async () => {
    const id = await aDeviceAtHome('office');
    const refused = [403, { type: problem('beyond-places') }];
    const changes = [
      await ask('at home', pathOf('places', 'home', 'devices', id), 'DELETE'),
      await ask('at home', pathOf('devices', id), 'PATCH', { status: 'pending' }),
      await ask('at home', pathOf('devices', id), 'DELETE'),
      await ask('at home', pathOf('places', 'home'), 'DELETE'),
    ];
    for (const { status, body } of changes) expect([status, body]).toMatchObject(refused);
    expect((await ask('at home', pathOf('devices', id))).body).toMatchObject({
      ...{ place: 'home', status: 'active' },
    });
  });

  it('changes nothing of a device that moves away meanwhile', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => aDeviceAtHome()));
    await inParallel(ids, 8, async (id) => {
      const [deleted, moved] = await Promise.all([
        ask('at home', pathOf('devices', id), 'DELETE'),
        place(id, 'office'),
      ]);
      // Either came first; the device is never deleted after its move.
      const outcome = [deleted.status, moved.status];
      const { status } = await ask('everywhere', pathOf('devices', id));
      expect([
        [204, 404, 404],
        [404, 200, 200],
        [403, 200, 200],
      ]).toContainEqual([...outcome, status]);
    });
  });

  it('expects the revision of If-Match', async () => {
    const id = await aDeviceAtHome();
    const headers = { authorization: authorization['at home'], 'if-match': '"999"' };
    const change = { method: 'PATCH', headers, body: { name: 'changed' } };
    expect((await registry.ask(pathOf('devices', id), change)).status).toBe(412);
  });
});
