import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, everyMinutes, minute, valuesOf } from './aggregates.ts';
import { packed, QueryFixture, single } from './query-fixture.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const ofDevice = (id: string, parameters: Record<string, string>) =>
  askAggregates(fixture, id, parameters);

describe('the increase of a counter', () => {
  const from = '2026-11-02T00:00:00Z';
  const to = '2026-11-02T03:00:00Z';

  async function increases(values: number[], more: Record<string, string> = {}): Promise<unknown> {
    const id = randomUUID();
    const readings = values.map((energy, index) => ({
      time: Date.parse(from) + index * 30 * minute,
      fields: { energy },
    }));
    await fixture.place({ id, blocks: single(readings) });
    const question = { from, to, fn: 'increase', ...more };
    const first = await ofDevice(id, question);
    expect(await ofDevice(id, question)).toEqual(first);
    return valuesOf(first, 'energy', 'increase');
  }

  it('includes the rise from one bucket to the next', async () => {
    expect(await increases([10, 11, 12.5, 13, 13, 20])).toEqual([1, 2, 7]);
  });

  it('handles a replaced meter', async () => {
    expect(await increases([100, 110, 3, 5, 6, 6.5])).toEqual([10, 5, 1.5]);
    expect(await increases([100, 110, 33, 35, 36, 36.5], { reset: 'unknown' })).toEqual([
      10, 2, 1.5,
    ]);
  });

  it('handles a counter overflow', async () => {
    expect(await increases([99_998, 99_999, 1, 2, 3, 4], { wrapsAt: '100000' })).toEqual([1, 3, 2]);
  });

  it('is null for a field that rises and falls', async () => {
    const id = randomUUID();
    const readings = everyMinutes(1, from, '2026-11-02T01:00:00Z').map(({ time }, index) => ({
      time,
      fields: { power: index % 2 },
    }));
    await fixture.place({ id, blocks: packed(readings) });
    const answer = await ofDevice(id, { from, to: '2026-11-02T01:00:00Z', fn: 'increase,max' });
    expect(answer.items[0]?.fields['power']).toEqual({ increase: null, max: 1 });
  });
});
