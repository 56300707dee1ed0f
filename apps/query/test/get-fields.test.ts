import { randomUUID } from 'node:crypto';
import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { FieldValue, Reading } from '@engawa/model';

const minute = 60_000;
const start = Math.floor(Date.now() / minute) * minute - 300 * minute;
const iso = (time: number) => new Date(time).toISOString();

/** A temperature a minute; the battery and the rest only once, 200 minutes before the newest. */
const readings: Reading[] = Array.from({ length: 241 }, (_, index) =>
  aReading({
    time: start + index * minute,
    fields: {
      temperature: index / 10,
      ...(index === 40 && { 'probe:1.battery': 77, contact: 'open', armed: true, co2: null }),
    },
  }),
);
const newest = iso(start + 240 * minute);
const once = { time: iso(start + 40 * minute), firstSeenAt: iso(start + 40 * minute) };
const temperature = { name: 'temperature', kind: 'number', unit: '°C', value: 24, time: newest };
const allFields = [
  { name: 'armed', kind: 'boolean', value: true, ...once },
  { name: 'co2', kind: 'null', value: null, ...once },
  { name: 'contact', kind: 'text', value: 'open', ...once },
  { name: 'probe:1.battery', kind: 'number', unit: '%', value: 77, ...once },
  { ...temperature, firstSeenAt: iso(start) },
];
const inList = allFields.map(({ name, kind, value, time }) => ({ name, kind, value, time }));

interface Fields {
  since: string;
  fields: { name: string; value: FieldValue; time: string; firstSeenAt?: string }[];
}

describe('the fields of a device', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  beforeAll(async () => {
    await query.place({ id: 'single', blocks: single(readings) });
    await query.place({ id: 'packed', blocks: packed(readings) });
    for (const device of ['single', 'packed']) {
      await query.settle({ place: 'home', room: 'hall', device, since: start + 100 * minute });
    }
  });

  const ask = async (path: string) => (await query.ask(path)).body as Fields;

  it.each(['single', 'packed'])(
    'have last values older than the newest reading: %s',
    async (id) => {
      const { body } = await query.ask(`/v1/devices/${id}/latest`);
      expect(body).toMatchObject({ readings: [{ fields: { temperature: 24 } }] });
      expect(await ask(`/v1/devices/${id}/fields`)).toMatchObject({
        device: { id, status: 'active' },
        fields: allFields,
      });
    },
  );

  it('are searched back to the requested time, which the response names', async () => {
    const from = start + 41 * minute;
    const { since, fields } = await ask(`/v1/devices/single/fields?from=${from}`);
    expect({ since, names: fields.map(({ name }) => name) }).toEqual({
      since: iso(from),
      names: ['temperature'],
    });
  });

  it.each(['single', 'packed'])('have values as of a time: %s', async (id) => {
    const at = start + 39 * minute + 1;
    const named = (fields: Fields['fields']) => fields.map(({ name, value }) => [name, value]);
    const before = await ask(`/v1/devices/${id}/fields?at=${at}`);
    expect(before.since).toBe(iso(at - 24 * 60 * minute));
    expect(named(before.fields)).toEqual([['temperature', 3.9]]);
    const then = await ask(
      `/v1/devices/${id}/fields?at=${start + 40 * minute}&fields=temperature,armed`,
    );
    expect(named(then.fields)).toEqual([
      ['armed', true],
      ['temperature', 4],
    ]);
  });

  it('of a room have values as of a time, of the devices that were there then', async () => {
    const asked = (at: number, more = '') =>
      query.ask(`/v1/rooms/home/hall/fields?fields=temperature&at=${at}${more}`);
    expect((await asked(start + 99 * minute)).body).toMatchObject({ items: [] });
    const at = start + 110 * minute + 5000;
    const items = ['packed', 'single'].map((id) => {
      return { device: { id }, fields: [{ value: 11, time: iso(start + 110 * minute) }] };
    });
    expect((await asked(at)).body).toMatchObject({ items });
    const { cursor } = (await asked(at, '&limit=1')).body as { cursor: string };
    const next = (await asked(at, `&limit=1&cursor=${cursor}`)).body;
    expect(next).toMatchObject({ items: items.slice(1) });
  });

  it('that are named are searched until all are found', async () => {
    const question = '/v1/devices/single/fields?fields=temperature';
    await ask(question);
    // One for the value, one for when it was first seen.
    expect(await query.requestsOf('Query', () => ask(question))).toBe(2);
    const named = await ask('/v1/devices/packed/fields?fields=temperature,contact,none');
    expect(named.fields).toEqual(allFields.filter(({ name }) => /^(temp|contact)/.test(name)));
  });

  it('are absent once a list has lost them, and have a unit only as numbers', async () => {
    const at = (minutes: number, fields: Reading['fields']) =>
      aReading({ time: start + minutes * minute, fields });
    const blocks = single([
      at(200, { 'faults.0': 'E1', 'faults.1': 'E2', 'codes.0': 1, 'codes.1': 2, power: 5 }),
      at(220, { faults: null, 'codes.0': 3, power: 'ON', voltage: null }),
    ]);
    await query.place({ id: 'lists', blocks });
    const { fields } = await ask('/v1/devices/lists/fields');
    const time = iso(start + 220 * minute);
    const known = { time, firstSeenAt: time };
    const early = { time, firstSeenAt: iso(start + 200 * minute) };
    expect(fields).toEqual([
      { name: 'codes.0', kind: 'number', value: 3, ...early },
      { name: 'faults', kind: 'null', value: null, ...known },
      { name: 'power', kind: 'text', value: 'ON', ...early },
      { name: 'voltage', kind: 'null', unit: 'V', value: null, ...known },
    ]);
  });

  describe.each<[string, Reading['fields'][], string[]]>([
    [
      'a list becomes empty',
      [{ 'faults.0': 'E1', 'faults.1': 'E2' }, { faults: null }],
      ['faults'],
    ],
    ['a list becomes shorter', [{ 'f.0': 1, 'f.1': 2, 'f.2': 3 }, { 'f.0': 4 }], ['f.0']],
    [
      'a list of maps becomes shorter',
      [{ 'f.0.a': 1, 'f.1.a': 2 }, { 'f.0.b': 4 }],
      ['f.0.a', 'f.0.b'],
    ],
    ['a map becomes empty', [{ 'm.a': 1, 'm.b.c': 2 }, { m: null }], ['m']],
    ['a map in a map becomes empty', [{ 'm.a': 1, 'm.b.c': 2 }, { 'm.b': null }], ['m.a', 'm.b']],
    ['a list is filled again', [{ f: null }, { 'f.0': 1 }], ['f.0']],
    ['a list stays empty', [{ 'f.0': 1 }, { f: null }, { f: null }], ['f']],
    ['a name is the beginning of another', [{ 'ab.0': 1 }, { a: null }], ['a', 'ab.0']],
    ['elements come one by one', [{ 'f.1.a': 1 }, { 'f.0.a': 1 }], ['f.0.a', 'f.1.a']],
  ])('where %s', (_, reported, expected) => {
    const id = randomUUID();
    beforeAll(async () => {
      const later = reported.map((fields, index) => ({ time: start + index * minute, fields }));
      // More readings than the first page of a search.
      const others = Array.from({ length: 30 }, (__, index) => {
        return { time: start + (100 + index) * minute, fields: { temperature: index } };
      });
      await query.place({ id, blocks: single([...later, ...others]) });
    });
    const names = [...new Set(reported.flatMap((fields) => Object.keys(fields)))];

    it('are the same by name as among all', async () => {
      const { fields: all } = await ask(`/v1/devices/${id}/fields`);
      const listed = all.filter(({ name }) => names.includes(name));
      expect(listed.map(({ name }) => name)).toEqual(expected);
      expect((await ask(`/v1/devices/${id}/fields?fields=${names.join(',')}`)).fields).toEqual(
        listed,
      );
      for (const name of names) {
        const { fields } = await ask(`/v1/devices/${id}/fields?fields=${name}`);
        expect(fields).toEqual(listed.filter((field) => field.name === name));
      }
    });
  });

  it('of a list that is empty are not searched further', async () => {
    const times = Array.from({ length: 40 }, (_, index) => start + index * minute);
    const blocks = single(times.map((time) => ({ time, fields: { faults: null } })));
    await query.place({ id: 'emptied', blocks });
    const question = '/v1/devices/emptied/fields?fields=faults.0';
    expect((await ask(question)).fields).toEqual([]);
    // As for a field with a value: one for the value, one for when it was first seen.
    expect(await query.requestsOf('Query', () => ask(question))).toBe(2);
  });

  it('that are unknown are absent', async () => {
    expect((await query.ask('/v1/devices/none/fields')).status).toBe(404);
    expect((await query.ask('/v1/places/none/fields')).status).toBe(404);
    await query.place({ id: 'silent' });
    expect((await ask('/v1/devices/silent/fields')).fields).toEqual([]);
  });

  it.each(['rooms/home/hall', 'places/home'])(
    'are returned for each device of %s',
    async (location) => {
      const { body } = await query.ask(`/v1/${location}/fields`);
      expect(body).toMatchObject({
        items: ['packed', 'single'].map((id) => ({ device: { id }, fields: inList })),
      });
    },
  );
});

describe('the fields of many devices', () => {
  const ids = Array.from({ length: 12 }, (_, index) => `sensor-${String(index).padStart(2, '0')}`);
  const query = openBeforeAll(() => QueryFixture.open({ REQUEST_UNIT_LIMIT: '5' }));
  beforeAll(async () => {
    for (const id of ids) {
      await query.place({ id, blocks: single([aReading({ time: start })]) });
      await query.settle({ place: 'home', device: id, since: start });
    }
  });

  it('come in pages within the unit budget', async () => {
    const pages = await query.walkAll<{ items: { device: { id: string } }[]; cursor?: string }>(
      '/v1/places/home/fields',
      {},
    );
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ items }) => items.map(({ device }) => device.id))).toEqual(ids);
  });
});
