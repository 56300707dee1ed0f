import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { Fields } from '@engawa/model';

const fixture = openBeforeAll(() => QueryFixture.open());

const start = Date.parse('2026-11-16T00:00:00Z');
const range = { from: '2026-11-16T00:00:00Z', to: '2026-11-16T03:00:00Z' };

/** A device with readings at these minutes of the range. */
async function place(readings: Record<number, Fields>): Promise<string> {
  const id = randomUUID();
  const timed = Object.entries(readings).map(([minute, fields]) => {
    return { time: start + Number(minute) * 60_000, fields };
  });
  await fixture.place({ id, blocks: single(timed) });
  return id;
}

const pathOf = (of: string, parameters: Record<string, string>) =>
  `${of.startsWith('/') ? of : `/v1/devices/${of}`}/aggregates?${new URLSearchParams({ ...range, ...parameters }).toString()}`;

/** The notes of the page. */
async function notesOf(of: string, parameters: Record<string, string> = {}): Promise<unknown> {
  const { body } = await fixture.ask(pathOf(of, parameters));
  return (body as { notes?: unknown }).notes;
}

describe('a page of aggregates without values', () => {
  it('names fields that have no readings, and similar ones', async () => {
    const id = await place({ 1: { temperature: 21, powerTotal: 5, mode: 'heat' } });
    const unknown = (field: string, ...similar: string[]) => {
      return { code: 'unknown-field', field, ...(similar.length > 0 && { similar }) };
    };
    const fields = 'temprature,power_total,power,xyz,temperature';
    const expected = [
      unknown('power', 'powerTotal'),
      unknown('power_total', 'powerTotal'),
      unknown('temprature', 'temperature'),
      unknown('xyz'),
    ];
    for (let time = 0; time < 2; time++) expect(await notesOf(id, { fields })).toEqual(expected);
    expect(await notesOf(id, { fields, fn: 'duration' })).toEqual(expected);
    expect(await notesOf(id, { fields: 'mod', fill: '0' })).toEqual([unknown('mod', 'mode')]);
  });

  it('does not call a field unknown that has texts only, or lasts from before', async () => {
    const id = await place({ [-60]: { door: true }, 1: { temperature: 21, mode: 'heat' } });
    expect(await notesOf(id, { fields: 'mode' })).toBeUndefined();
    expect(await notesOf(id, { fields: 'mode,door', fn: 'duration' })).toBeUndefined();
    expect(await notesOf(id)).toBeUndefined();
  });

  it('says when the last reading before was, where nothing was recorded', async () => {
    const id = await place({ [-60 * 24 * 40]: { temperature: 21 }, 1000: { temperature: 22 } });
    const lastReadingAt = new Date(start - 40 * 86_400_000).toISOString();
    for (let time = 0; time < 2; time++) {
      for (const fields of ['temperature', 'temprature']) {
        expect(await notesOf(id, { fields })).toEqual([{ code: 'no-readings', lastReadingAt }]);
      }
      expect(await notesOf(id)).toEqual([{ code: 'no-readings', lastReadingAt }]);
    }
    expect(await notesOf(await place({ 1000: { temperature: 22 } }))).toEqual([
      { code: 'no-readings' },
    ]);
  });

  it('has no note of a field whose value is filled in from before', async () => {
    const id = await place({ [-60]: { power: 1 }, 1: { temperature: 21 } });
    const asked = { fields: 'power', fn: 'avg,sum' };
    expect(await notesOf(id, { ...asked, fill: 'previous' })).toBeUndefined();
    const unknown = [{ code: 'unknown-field', field: 'power' }];
    for (const fill of ['none', 'null', 'linear', '0']) {
      expect(await notesOf(id, { ...asked, fill })).toEqual(unknown);
    }
    const silent = await place({ [-60]: { power: 1 } });
    expect(await notesOf(silent, { ...asked, fill: 'previous' })).toBeUndefined();
  });

  it('of a room says so without a time', async () => {
    const devices = [await place({ [-60]: { power: 1 } }), await place({ [-60]: { power: 1 } })];
    const room = `/v1/rooms/of-${devices[0] ?? ''}/hall`;
    for (const device of devices) {
      await fixture.settle({ place: `of-${devices[0] ?? ''}`, room: 'hall', device, since: 0 });
    }
    expect(await notesOf(room)).toEqual([{ code: 'no-readings' }]);
  });

  it('does not name fields of the time when a device was elsewhere', async () => {
    const device = await place({ 10: { power: 1 }, 40: { powerSecret: 1 }, 55: { power: 2 } });
    const [since, until, again] = [0, 30, 50].map((minutes) => start + minutes * 60_000);
    const stay = { place: `of-${device}`, room: 'hall', device };
    await fixture.settle({ ...stay, since: since ?? 0, until: until ?? 0 });
    await fixture.settle({ ...stay, since: again ?? 0 });
    for (const fn of ['avg', 'duration']) {
      const notes = await notesOf(`/v1/rooms/${stay.place}/hall`, { fields: 'powerSecre', fn });
      expect(notes).toEqual([{ code: 'unknown-field', field: 'powerSecre', similar: ['power'] }]);
    }
  });

  it('costs one Query more where nothing was recorded, also not in CSV', async () => {
    const queriesFor = async (id: string, accept = 'application/json') => {
      const path = pathOf(id, { fields: 'temperature' });
      await fixture.askFor(accept, path); // stores rollups
      return fixture.requestsOf('Query', () => fixture.askFor(accept, path));
    };
    const recorded = await queriesFor(await place({ 1: { temperature: 1 } }));
    expect(await queriesFor(await place({ 1: { other: 1 } }))).toBe(recorded);
    const silent = { [-60]: { temperature: 1 } };
    const inCsv = await queriesFor(await place(silent), 'text/csv');
    expect(await queriesFor(await place(silent))).toBe(inCsv + 1);
  });
});
