import { randomUUID } from 'node:crypto';
import { blockItem, membershipItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { Corrector } from './correct.ts';
import { QueryFixture, single } from './query-fixture.ts';
import type { Reading } from '@engawa/model';

const minute = 60_000;
const start = Math.floor(Date.now() / (60 * minute)) * 60 * minute - 5 * 60 * minute;
const at = (minutes: number) => start + minutes * minute;
const iso = (time: number) => new Date(time).toISOString();

/** Ten readings, a minute apart: 0 to 9. */
const readings: Reading[] = Array.from({ length: 10 }, (_, index) => ({
  time: at(index),
  fields: { power: index, state: index % 2 === 0 ? 'on' : 'off' },
}));

const fixture = openBeforeAll(() => QueryFixture.open({}, () => clock));
/** Milliseconds on the service's clock: what it believes for 5 s is believed until a test says otherwise. */
let clock = 0;
const later = () => (clock += 10_000);

async function aMeter(blocks = single(readings), shards?: number) {
  const epochs = shards !== undefined && { shards: [{ since: 0, count: shards, from: 0 }] };
  const device = { id: randomUUID(), span: 3600, ...epochs };
  await fixture.place({ id: device.id, device });
  const items = blocks.map((block, index) =>
    blockItem({ device: device.id, readings: block, shard: index % (shards ?? 1) }),
  );
  await fixture.putAll(items);
  return { id: device.id, items, corrector: new Corrector(fixture, device) };
}

const range = { from: iso(at(-60)), to: iso(at(60)) };

async function shown(id: string, parameters: Record<string, string> = {}) {
  later();
  const pages = await fixture.walk(id, { ...range, ...parameters });
  return pages.flatMap((page) => page.items.map(({ time, fields }) => [minuteOf(time), fields]));
}

async function latest(id: string, limit: number) {
  const { body } = await fixture.ask(`/v1/devices/${id}/latest?limit=${limit}`);
  const { readings } = body as { readings: { time: string; fields: unknown }[] };
  return readings.map(({ time, fields }) => [minuteOf(time), fields]);
}

const minuteOf = (time: string) => (Date.parse(time) - start) / minute;
const whole = readings.map(({ fields }, index) => [index, fields]);

describe('a deletion', () => {
  it('hides a field or whole readings in every response', async () => {
    const { id, corrector } = await aMeter();
    await corrector.make({ operation: 'delete', from: at(2), to: at(4), fields: ['power'] });
    await corrector.make({ operation: 'delete', from: at(8), to: at(10) });
    const expected = [
      ...whole.slice(0, 2),
      [2, { state: 'on' }],
      [3, { state: 'off' }],
      ...whole.slice(4, 8),
    ];
    expect(await shown(id)).toEqual(expected);
    expect(await shown(id, { order: 'desc', limit: '1' })).toEqual(expected.toReversed());
    expect(await shown(id, { fields: 'power' })).toEqual(
      [0, 1, 4, 5, 6, 7].map((power) => [power, { power }]),
    );
    expect(await latest(id, 6)).toEqual(expected.toReversed().slice(0, 6));
    const { body } = await fixture.ask(`/v1/devices/${id}/fields?from=${at(0)}`);
    expect((body as { fields: { value: unknown }[] }).fields.map(({ value }) => value)).toEqual([
      7,
      'off',
    ]);
    const csv = await fixture.askFor(
      'text/csv',
      `/v1/devices/${id}/readings?${new URLSearchParams({ ...range, fields: 'power' }).toString()}`,
    );
    expect(csv.text.trim().split('\r\n')).toHaveLength(7);
  });

  it('applies to all shards of a device, all of its readings, and its room', async () => {
    const { id, corrector } = await aMeter(single(readings), 4);
    const slice = { device: id, place: id, room: 'hall', since: 0 };
    await fixture.putAll([
      membershipItem({ device: id, place: id, since: 0 }),
      membershipItem(slice),
    ]);
    await corrector.make({ operation: 'delete', from: at(3), to: at(7) });
    const expected = [...whole.slice(0, 3), ...whole.slice(7)];
    expect(await shown(id, { limit: '2' })).toEqual(expected);
    expect(await latest(id, 5)).toEqual(expected.toReversed().slice(0, 5));
    const path = `/v1/rooms/${id}/hall/readings?${new URLSearchParams(range).toString()}`;
    expect((await fixture.ask(path)).text.match(/"power"/g)).toHaveLength(6);
    await corrector.make({ operation: 'delete', from: at(0), to: at(10) });
    expect([await shown(id), await latest(id, 5)]).toEqual([[], []]);
  });

  it('applies to late and repeated readings until it is undone', async () => {
    const { id, items, corrector } = await aMeter();
    const undo = await corrector.make({ operation: 'delete', from: at(2), to: at(9) });
    const late = { time: at(4) + 1, fields: { power: 99 } };
    // Packed otherwise by a redelivery, adopted from a parked block, and late.
    await fixture.putAll([
      ...items,
      blockItem({ device: id, readings: readings.slice(1, 6) }),
      blockItem({ device: id, readings: [late] }),
    ]);
    expect(await shown(id)).toEqual([...whole.slice(0, 2), ...whole.slice(9)]);
    await undo();
    const again = await shown(id);
    expect(again.filter(([time]) => Number.isInteger(time))).toEqual(whole);
    expect(again).toHaveLength(11);
  });
});

describe('a replacement', () => {
  const replacement = {
    operation: 'replace' as const,
    from: at(2),
    to: at(5),
    fields: ['power'],
    readings: [
      { time: at(3), fields: { power: 33 } },
      { time: at(4.5), fields: { power: 45 } },
    ],
  };
  const expected = [
    ...whole.slice(0, 2),
    [2, { state: 'on' }],
    [3, { power: 33 }],
    [3, { state: 'off' }],
    [4, { state: 'on' }],
    [4.5, { power: 45 }],
    ...whole.slice(5),
  ];

  it('replaces stored readings on every page and in any order', async () => {
    const { id, corrector } = await aMeter([readings]);
    await corrector.make(replacement);
    for (const limit of ['1', '3', '100']) {
      expect((await shown(id, { limit })).toSorted(byText)).toEqual(expected.toSorted(byText));
      const backwards = await shown(id, { limit, order: 'desc' });
      expect(backwards.reverse()).toEqual(await shown(id, { limit }));
    }
    const newest = await latest(id, 100);
    expect(newest.reverse()).toEqual(await shown(id));
  });

  it('is subject to later corrections', async () => {
    const { id, corrector } = await aMeter();
    await corrector.make(replacement);
    await corrector.make({ operation: 'delete', from: at(3), to: at(4), fields: ['power'] });
    expect((await shown(id, { fields: 'power' })).map(([time]) => time)).toEqual([
      ...[0, 1, 4.5],
      ...[5, 6, 7, 8, 9],
    ]);
  });

  it('may be the only readings of a device', async () => {
    const { id, corrector } = await aMeter([]);
    await corrector.make(replacement);
    expect(await latest(id, 1)).toEqual([[4.5, { power: 45 }]]);
    expect(await shown(id)).toEqual([
      [3, { power: 33 }],
      [4.5, { power: 45 }],
    ]);
  });
});

it('corrections cost one Query per version, and nothing for a device without any', async () => {
  const { id, corrector } = await aMeter();
  const queries = () => fixture.requestsOf('Query', () => shown(id));
  expect(await queries()).toBe(1);
  await corrector.make({ operation: 'delete', from: at(2), to: at(4) });
  expect([await queries(), await queries()]).toEqual([2, 1]);
  expect(await fixture.requestsOf('Query', () => latest(id, 1))).toBe(1);
  await corrector.make({ operation: 'delete', from: at(5), to: at(6) });
  expect(await fixture.requestsOf('Query', () => latest(id, 1))).toBe(2);
});

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}
