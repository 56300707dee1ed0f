import { parkedWeight } from '../storing/reading-weight.ts';
import { draftsWeight, maxParsedBytes, memoryLimits, readingsWeight } from './memory-weight.ts';
import type { Draft } from '../decoders/decoder.ts';

const megabyte = 1024 * 1024;
const minute = 60_000;

describe('memory', () => {
  it('with the heap of the chart suffices for 10,200 readings in 300 KB, and at most 677 KB are parsed', () => {
    const limits = memoryLimits(184 * megabyte);
    const draft: Draft = { time: undefined, fields: { temperature: 21.5 } };
    const drafts = Array.from({ length: 10_200 }, () => draft);
    expect(draftsWeight(300_000, drafts).min).toBeLessThan(limits.message);
    expect(Math.floor(maxParsedBytes(limits) / 1000)).toBe(677);
  });

  it('has a minimum, and a maximum beyond which nothing gets faster', () => {
    expect(memoryLimits(10 * megabyte).budget).toBe(8 * megabyte);
    expect(memoryLimits(100_000 * megabyte).budget).toBe(256 * megabyte);
  });

  it('of readings includes the minimum number of blocks, nested fields, and texts', () => {
    const at = (step: number) =>
      Array.from({ length: 48 }, (_, index) => ({ time: index * step, fields: { x: 1 } }));
    expect(readingsWeight(0, at(60 * minute)) - readingsWeight(0, at(minute))).toBe(47 * 2500);
    const weigh = (fields: Draft['fields']) => draftsWeight(0, [{ time: 0, fields }]).min;
    expect(weigh({ a: { b: 1, c: 'ten letters' } })).toBeGreaterThan(weigh({ b: 1, c: '' }));
  });

  it('of parked readings is less: neither message nor request is held', () => {
    const readings = [{ time: 0, fields: { text: 'x'.repeat(800) } }];
    expect(parkedWeight(readings)).toBeGreaterThan(800);
    expect(parkedWeight(readings)).toBeLessThan(readingsWeight(800, readings) / 4);
  });

  it('of deeply nested fields is computed without a stack overflow', () => {
    let nested: object = {};
    for (let depth = 0; depth < 100_000; depth++) nested = { nested };
    expect(draftsWeight(0, [{ time: 0, fields: { nested } }]).min).toBeGreaterThan(0);
  });
});
