import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';
import type { Fields } from '@engawa/model';
import type { Bucket } from './aggregates.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

interface NotedBucket extends Bucket {
  /** With `groupBy=device`. */
  device?: string;
  notes?: { code: string; field: string }[];
}

const range = { from: '2026-11-16T00:00:00Z', to: '2026-11-16T03:00:00Z' };

/** A device with readings at these minutes of the range. */
async function place(readings: Record<number, Fields>): Promise<string> {
  const id = randomUUID();
  const start = Date.parse(range.from);
  const timed = Object.entries(readings).map(([minute, fields]) => {
    return { time: start + Number(minute) * 60_000, fields };
  });
  await fixture.place({ id, blocks: single(timed) });
  return id;
}

async function ask(of: string, parameters: Record<string, string> = {}): Promise<NotedBucket[]> {
  return (await askAggregates(fixture, of, { ...range, ...parameters })).items;
}

/** The fields with a note, by bucket. */
const noted = (buckets: readonly NotedBucket[]) =>
  buckets.map(({ notes = [] }) =>
    notes.map(({ code, field }) => {
      expect(code).toBe('no-numbers');
      return field;
    }),
  );

describe('a bucket without numbers of a field', () => {
  it('says that the field has other values, from readings and from rollups', async () => {
    const id = await place({
      1: { temperature: '21.5', power: 5 },
      61: { temperature: 'on', power: 5 },
      62: { temperature: '22', isOpen: true },
      121: { power: 5 },
    });
    const fields = 'temperature,isOpen,power';
    for (let time = 0; time < 2; time++) {
      const buckets = await ask(id, { fields });
      expect(noted(buckets)).toEqual([['temperature'], ['isOpen', 'temperature'], []]);
      expect(buckets.map((bucket) => Object.keys(bucket.fields))).toEqual(Array(3).fill(['power']));
    }
    expect(noted(await ask(id, { fields, every: 'PT15M' }))[0]).toEqual(['temperature']);
    expect(noted(await ask(id, { fields: 'power' }))).toEqual([[], [], []]);
  });

  it('costs no further request', async () => {
    const requestsFor = async (fields: string) => {
      const id = await place({ 1: { mode: 'heat', power: 5 }, 61: { mode: 'heat', power: 5 } });
      const ofReadings = await fixture.requestsOf('Query', () => ask(id, { fields }));
      return [ofReadings, await fixture.requestsOf('Query', () => ask(id, { fields }))];
    };
    const [ofReadings = 0, ofRollups = 0] = await requestsFor('power');
    expect(ofRollups).toBeLessThan(ofReadings);
    expect(await requestsFor('mode')).toEqual([ofReadings, ofRollups]);
  });

  it('has no note where a part of it has numbers, or where it has null', async () => {
    const id = await place({
      1: { temperature: 'unknown', power: 1 },
      61: { temperature: 20, power: null },
      62: { temperature: 'unknown' },
    });
    const days = { from: '2026-11-15T00:00:00Z', to: '2026-11-17T00:00:00Z', every: 'P1D' };
    for (let time = 0; time < 2; time++) {
      const fields = 'temperature,power';
      expect(noted(await ask(id, { fields }))).toEqual([['temperature'], [], []]);
      expect(noted(await ask(id, { fields, ...days }))).toEqual([[], []]);
    }
  });

  it('has it without `fields` only if it has no number at all', async () => {
    const id = await place({ 1: { mode: 'heat', power: 5 }, 61: { mode: 'heat', isOpen: false } });
    for (let time = 0; time < 2; time++) {
      expect(noted(await ask(id))).toEqual([[], ['isOpen', 'mode'], []]);
    }
  });

  it('keeps its note when it is filled', async () => {
    const id = await place({ 1: { temperature: 20 }, 61: { temperature: '21.5' } });
    const buckets = await ask(id, { fields: 'temperature', fill: 'previous' });
    expect(buckets.map(({ fields }) => fields['temperature']?.['avg'])).toEqual([20, 20, 20]);
    expect(noted(buckets)).toEqual([[], ['temperature'], []]);
  });

  it('has it for its group', async () => {
    const ids = [await place({ 1: { power: 5 } }), await place({ 1: { power: '5' } })];
    const since = Date.parse('2026-11-01T00:00:00Z');
    const [numbers, texts] = ids as [string, string];
    for (const device of ids) {
      await fixture.settle({ place: `of-${numbers}`, room: 'living', device, since });
    }
    const path = `/v1/rooms/of-${numbers}/living/aggregates`;
    const grouped = await ask(path, { fields: 'power', groupBy: 'device', every: 'P1D' });
    const byDevice = new Map(grouped.map((bucket) => [bucket.device, noted([bucket])[0]]));
    expect(byDevice).toEqual(
      new Map([
        [numbers, []],
        [texts, ['power']],
      ]),
    );
    expect(noted(await ask(path, { fields: 'power', every: 'P1D' }))).toEqual([[]]);
  });
});
