import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import {
  allBuckets,
  askAggregates,
  everyMinutes,
  lengthsOf,
  plainSum,
  total,
  valuesOf,
} from './aggregates.ts';
import { packed, QueryFixture, single } from './query-fixture.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const ofDevice = (id: string, parameters: Record<string, string>) =>
  askAggregates(fixture, id, parameters);

describe('buckets', () => {
  it('include empty buckets, and come in pages', async () => {
    const id = randomUUID();
    const readings = [
      ...everyMinutes(20, '2026-11-01T00:10:00Z', '2026-11-01T02:10:00Z'),
      ...everyMinutes(20, '2026-11-01T05:00:00Z', '2026-11-01T06:00:00Z'),
    ];
    await fixture.place({ id, blocks: single(readings) });
    const question = {
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-01T08:00:00Z',
      fn: 'count',
      fields: 'power',
    };
    const whole = await ofDevice(id, question);
    expect(valuesOf(whole, 'power', 'count')).toEqual([
      3,
      3,
      undefined,
      undefined,
      undefined,
      3,
      undefined,
      undefined,
    ]);
    expect(whole.cursor).toBeUndefined();
    expect(await allBuckets(fixture, id, { ...question, limit: '3' })).toEqual(whole.items);
    expect(Object.keys(whole.items[0]?.fields ?? {})).toEqual(['power']);
  });

  it('end with the range', async () => {
    const id = randomUUID();
    const readings = everyMinutes(10, '2026-11-01T00:00:00Z', '2026-11-01T04:00:00Z');
    await fixture.place({ id, blocks: packed(readings) });
    const range = { from: '2026-11-01T00:25:00Z', to: '2026-11-01T02:35:00Z' };
    const answer = await ofDevice(id, { ...range, fn: 'sum,count' });
    expect(lengthsOf(answer)).toEqual([35 / 60, 1, 35 / 60]);
    expect(valuesOf(answer, 'power', 'count')).toEqual([3, 6, 4]);
    expect(total(answer, 'power', 'sum')).toBe(plainSum(readings, 'power', range));
  });

  it('of minutes are computed from readings', async () => {
    const id = randomUUID();
    await fixture.place({
      id,
      blocks: packed(everyMinutes(1, '2026-11-01T00:00:00Z', '2026-11-01T01:00:00Z')),
    });
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-01T01:00:00Z' };
    const answer = await ofDevice(id, { ...range, every: 'PT15M', fn: 'count' });
    expect(valuesOf(answer, 'power', 'count')).toEqual([15, 15, 15, 15]);
  });

  it('keep all digits of numbers beyond double precision', async () => {
    const id = randomUUID();
    const reading = (text: string, second: number) => ({
      time: Date.parse('2026-11-01T00:00:00Z') + second * 1000,
      fields: { total: JSON.parse(text) as number },
    });
    await fixture.place({ id, blocks: single([reading('0.1', 0), reading('0.2', 1)]) });
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-01T01:00:00Z', fn: 'sum' };
    for (let time = 0; time < 2; time++) {
      expect(valuesOf(await ofDevice(id, range), 'total', 'sum')).toEqual([0.3]);
    }
  });
});

describe('an invalid request', () => {
  it.each([
    ['every', 'PT7M'],
    ['every', ''],
    ['fn', 'median'],
    ['fn', ''],
    ['timeZone', 'Mars/Olympus'],
    ['wrapsAt', '-1'],
    ['reset', 'maybe'],
    ['fields', 'a,,b'],
  ])('is rejected by name: %s=%s', async (name, value) => {
    const { status, body } = await fixture.ask(
      `/v1/devices/any/aggregates?${new URLSearchParams({ [name]: value }).toString()}`,
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ path: expect.stringContaining(`query.${name}`) as string }],
    });
  });

  it('answers 404 for an unknown device', async () => {
    const { status, body } = await fixture.ask('/v1/devices/nobody/aggregates');
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: '/problems/device-not-found' });
  });
});
