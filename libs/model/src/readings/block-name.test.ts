import fc from 'fast-check';
import { blockItem, blockReadings, firstDelivery } from './block.ts';
import { blockName, parseBlockName, randomOrigin } from './block-name.ts';
import { itemSize } from '../values/item-size.ts';
import { packReadings } from './pack-readings.ts';
import type { Reading } from './reading.ts';

const origin = randomOrigin();
const receivedAt = fc.integer({ min: 0, max: 2 ** 42 - 1 });
const sequence = fc.integer({ min: 0, max: 2 ** 22 - 1 });
const isAhead = fc.boolean();
const receipt = fc.record({ receivedAt, origin: fc.constant(origin), sequence, isAhead });

/** Deliveries as ingestion gives them: none, the first of a millisecond, later ones, of other processes. */
const delivery = fc.option(
  fc.constantFrom(firstDelivery(origin), `${origin}.1f`, 'Qz9-.0', '01J0000000000000000000000.3'),
  { nil: undefined },
);
const reading: fc.Arbitrary<Reading> = fc
  .record({ time: fc.integer({ min: 0, max: 2000 }), a: fc.nat(9), delivery })
  .map(({ time, a, ...given }) => {
    const known = given.delivery;
    return { time, fields: { a }, ...(known !== undefined && { delivery: known }) };
  });

describe('the name of a block', () => {
  it('is in the order of receipt, has 16 characters, and tells its origin and wrong clocks', () => {
    fc.assert(
      fc.property(receipt, receipt, fc.boolean(), (left, right, isDelivered) => {
        const [a, b] = [blockName(left, isDelivered), blockName(right, isDelivered)];
        const byReceipt = left.receivedAt - right.receivedAt || left.sequence - right.sequence;
        expect(a < b).toBe(byReceipt < 0);
        const ahead = left.isAhead && { receivedAt: left.receivedAt };
        expect(parseBlockName(a)).toEqual({ origin, isDelivered, ...ahead });
        expect(a).toHaveLength(16);
      }),
    );
  });

  it('sorts after each name of version 0.2, which is not parsed', () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 16, maxLength: 16 }), receipt, (hash, given) => {
        const former = hash.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', 'a');
        expect(parseBlockName(former)).toBeUndefined();
        expect(former < blockName(given, false)).toBe(true);
      }),
    );
  });
});

describe('deliveries in a block', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 40 }), receipt, (all, given) => {
        const packs = packReadings('d', all);
        for (const [index, readings] of packs.entries()) {
          const block = blockItem({
            device: 'd',
            readings,
            receipt: { ...given, sequence: index },
          });
          const back = blockReadings(block);
          const { order = '' } = back[0] ?? {};
          expect(back).toEqual(readings.map((each) => ({ ...each, order })));
        }
      }),
    );
  });

  it('take no bytes where each is the first of its millisecond', () => {
    const times = Array.from({ length: 40 }, (_, index) => ({ time: index, fields: { a: index } }));
    const given = { receivedAt: 1, origin, sequence: 1 };
    const sizes = [undefined, firstDelivery(origin)].map((each) => {
      const readings = times.map((time) => ({ ...time, ...(each && { delivery: each }) }));
      return itemSize({ ...blockItem({ device: 'd', readings, receipt: given }) });
    });
    expect(sizes[0]).toBe(sizes[1]);
    expect(sizes[0]).toBe(itemSize({ ...blockItem({ device: 'd', readings: times }) }));
  });

  it('are counted when a block is packed to a kilobyte', () => {
    const many = Array.from({ length: 500 }, (_, index) => {
      return { time: 1, fields: { a: 1 }, delivery: `${origin}.${index.toString(36)}` };
    });
    const packs = packReadings('d', many);
    expect(packs.flat()).toEqual(many);
    for (const [sequence, readings] of packs.entries()) {
      const block = blockItem({
        device: 'd',
        readings,
        receipt: { receivedAt: 1, origin, sequence },
      });
      expect(itemSize({ ...block, ttl: 1_800_000_000 })).toBeLessThanOrEqual(1024);
    }
  });
});
