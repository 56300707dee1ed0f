import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { hour, minute } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';
import { askStates, day, doorOfDay, iso, midnight, minutesOf, placeDoor } from './states.ts';
import type { DoorValues, StateBucket } from './states.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const device = (values: DoorValues) => placeDoor(fixture, values);
const ask = (of: string, question?: Record<string, string>) => askStates(fixture, of, question);

const changesOf = (buckets: readonly StateBucket[]) =>
  buckets.map(({ states }) => states['door']?.changes);

describe('the states of a field', () => {
  it('say how long it had each value, how much of the time, and how often it changed', async () => {
    const id = await device([
      [-90 * 24 * 60, false],
      [8 * 60, true],
      [8 * 60 + 20, true],
      [9 * 60, false],
      [20 * 60, true],
    ]);
    const values = [
      { value: false, duration: (8 + 11) * 3600, share: 19 / 24 },
      { value: true, duration: 5 * 3600, share: 5 / 24 },
    ];
    const [bucket, ...none] = await ask(id);
    expect(none).toEqual([]);
    expect(bucket).toMatchObject({ fields: {}, states: { door: { changes: 3, values } } });
    expect(bucket).not.toHaveProperty('incomplete');
  });

  it('are only what was requested', async () => {
    const id = await device([[0, 'open']]);
    const statesFor = async (fn: string) => (await ask(id, { fn }))[0]?.states;
    expect(await statesFor('duration')).toEqual({
      door: { values: [{ value: 'open', duration: 86_400 }] },
    });
    expect(await statesFor('share')).toEqual({ door: { values: [{ value: 'open', share: 1 }] } });
    expect(await statesFor('changes')).toEqual({
      door: { changes: 0, values: [{ value: 'open' }] },
    });
    expect(await statesFor('avg')).toBeUndefined();
  });

  it('do not include the time before the first reading', async () => {
    const id = await device([[18 * 60, true]]);
    const [bucket] = await ask(id);
    const values = [{ value: true, duration: 6 * 3600, share: 1 }];
    expect(bucket?.states).toEqual({ door: { changes: 0, values } });
    expect(bucket).not.toHaveProperty('incomplete');
    expect((await ask(id, { to: iso(midnight + 18 * hour) }))[0]?.states).toEqual({});
  });

  it('last over buckets without a reading, and until now', async () => {
    const now = Date.now();
    const id = randomUUID();
    const time = now - 50 * hour;
    await fixture.place({ id, blocks: single([{ time, fields: { door: 'shut' } }]) });
    const range = { from: iso(time - hour), to: iso(now + 30 * hour), every: 'PT6H' };
    const buckets = await ask(id, range);
    const durations = buckets.map(({ states }) => states['door']?.values[0]?.duration ?? 0);
    const sum = durations.reduce((total, duration) => total + duration, 0);
    // Some time may have passed since `now`.
    expect(sum).toBeGreaterThanOrEqual(50 * 3600);
    expect(sum).toBeLessThan(51 * 3600);
    expect(buckets.at(-1)?.states).toEqual({});
  });

  it('end with null, after which the value is not known', async () => {
    const id = await device([
      [0, 'on'],
      [60, null],
      [180, 'off'],
    ]);
    const buckets = await ask(id, { to: iso(midnight + 4 * hour) });
    expect(minutesOf(buckets)).toEqual([{ '"on"': 60, '"off"': 60 }]);
    expect(changesOf(buckets)).toEqual([0]);
    expect(buckets[0]?.states['door']?.values[0]?.share).toBe(0.5);
  });

  it('tell texts from numbers, and keep all digits', async () => {
    const id = randomUUID();
    const time = midnight + hour;
    const readings = ['1', 1, true, 'true'].map((mode, index) => ({
      time: time + index * minute,
      fields: { mode },
    }));
    await fixture.place({ id, blocks: single(readings) });
    const [bucket] = await ask(id, { fields: 'mode', to: iso(time + 4 * minute) });
    const values = bucket?.states['mode']?.values.map(({ value }) => value);
    expect(new Set(values)).toEqual(new Set(['1', 1, true, 'true']));
    expect(bucket?.states['mode']?.changes).toBe(3);
  });

  it('of a room are summed over its devices, those of which nothing is known left out', async () => {
    const place = randomUUID();
    const devices = [
      await device([[0, true]]),
      await device([
        [6 * 60, true],
        [12 * 60, false],
      ]),
      randomUUID(),
    ];
    const [, , thermometer = ''] = devices;
    const blocks = single([{ time: midnight, fields: { temperature: 20 } }]);
    await fixture.place({ id: thermometer, blocks });
    for (const each of devices)
      await fixture.settle({ place, room: 'hall', device: each, since: midnight - day });
    const path = `/v1/rooms/${place}/hall/aggregates`;
    const [bucket] = await ask(path);
    expect(minutesOf(await ask(path))).toEqual([{ true: 30 * 60, false: 12 * 60 }]);
    expect(bucket?.states['door']).toMatchObject({ changes: 1, values: [{ share: 30 / 42 }, {}] });
    const grouped = await ask(path, { groupBy: 'device' });
    expect(new Set(minutesOf(grouped))).toEqual(
      new Set([{ true: 24 * 60 }, { true: 6 * 60, false: 12 * 60 }, {}]),
    );
  });

  it('of a room begin with the stay of the device', async () => {
    const place = randomUUID();
    const id = await device([
      [-60, 'open'],
      [6 * 60, 'shut'],
    ]);
    await fixture.settle({ place, room: 'hall', device: id, since: midnight + 3 * hour });
    expect(minutesOf(await ask(`/v1/rooms/${place}/hall/aggregates`))).toEqual([
      { '"shut"': 18 * 60 },
    ]);
  });

  it('are the same in pages of any size', async () => {
    const minutes = Array.from({ length: 60 }, (_, index) => index * 37);
    const id = await device(minutes.map((each, index) => [each, index % 3 === 0]));
    const whole = await ask(id, { every: 'PT1H', limit: '1000' });
    expect(await ask(id, { every: 'PT1H', limit: '1' })).toEqual(whole);
    const total = (value: boolean) =>
      minutesOf(whole).reduce((sum, of) => sum + (of[String(value)] ?? 0), 0);
    expect(total(true) + total(false)).toBeCloseTo(24 * 60, 6);
  });

  it('need fields', async () => {
    const { status, text } = await fixture.ask(`/v1/devices/any/aggregates?fn=changes`);
    expect([status, text]).toEqual([400, expect.stringContaining('query.fields must be given')]);
  });

  it('stand beside numbers, and are columns of CSV', async () => {
    const id = await device([
      [-60, 1],
      [12 * 60, 3],
    ]);
    const [bucket] = await ask(id, { fn: 'avg,changes,duration', fill: 'previous' });
    expect(bucket).toMatchObject({
      fields: { door: { avg: 3 } },
      states: { door: { changes: 1 } },
    });
    const search = new URLSearchParams({ ...doorOfDay, fn: 'avg,changes,duration' });
    const path = `/v1/devices/${id}/aggregates?${search.toString()}`;
    const { text } = await fixture.askFor('text/csv', path);
    const [names, row] = text.split('\r\n');
    expect(names).toBe('from,to,localFrom,incomplete,door.avg,door.changes,door.states');
    const cell = '"[{""value"":1,""duration"":43200},{""value"":3,""duration"":43200}]"';
    expect(row?.endsWith(`,,3,1,${cell}`)).toBe(true);
  });
});
