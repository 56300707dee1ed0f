import { randomBytes } from 'node:crypto';
import { birthItem, parseBirth } from './birth.ts';
import { itemSize } from '../values/item-size.ts';
import type { Birth } from './birth.ts';

const birth: Birth = {
  node: 'G/E',
  device: 'D',
  timestamp: Date.parse('2026-11-20T00:00:00Z'),
  epoch: 0,
  metrics: [{ name: 'Temperature', alias: '18446744073709551615', datatype: 9 }],
  writtenAt: Date.parse('2026-11-21T00:00:00Z'),
};
const metric = (name: string) => ({ name, alias: undefined, datatype: undefined });

describe('a birth', () => {
  it.each<[string, Partial<Birth>]>([
    ['of a device', {}],
    ['of a node, after its death', { device: undefined, bdSeq: '3', endedAt: 1_795_131_000_000 }],
    ['of another epoch', { epoch: 1_795_131_000_000 }],
    ['without metrics', { metrics: [] }],
    ['whose metrics are unknown', { metrics: undefined }],
    ['with a metric without alias and type', { metrics: [metric('居間#1')] }],
  ])('%s is read from its item unchanged', (_name, change) => {
    const changed = { ...birth, ...change };
    expect(parseBirth(birthItem(changed))).toEqual(changed);
  });

  it('is kept for 60 days, longer than dead letters', () => {
    expect(Number(birthItem(birth)['ttl']) * 1000).toBe(Date.parse('2027-01-20T00:00:00Z'));
  });

  it('with 5,000 metrics takes a tenth of the maximum size of an item', () => {
    const metrics = Array.from({ length: 5000 }, (_, index) => ({
      name: `Plant 7/Line ${index % 40}/Machine ${index % 13}/Sensor ${index}/Temperature`,
      alias: String(index),
      datatype: 9,
    }));
    expect(itemSize(birthItem({ ...birth, metrics }))).toBeLessThan(40_000);
  });

  it('too large for an item is stored without its metrics', () => {
    const metrics = Array.from({ length: 1000 }, () => metric(randomBytes(500).toString('hex')));
    const item = birthItem({ ...birth, metrics });
    expect(itemSize(item)).toBeLessThan(400_000);
    expect(parseBirth(item)).toEqual({ ...birth, metrics: undefined });
  });

  it('is rejected when the item is not a birth', () => {
    expect(() => parseBirth({ pk: 'DEVICE#1', sk: 'DEVICE#1' })).toThrow(TypeError);
  });
});
