import fc from 'fast-check';
import { identityOf } from './reading.ts';
import { sortedUnique, sortInSlices } from './sort-readings.ts';
import type { Reading } from './reading.ts';

const few: fc.Arbitrary<Reading> = fc.record(
  {
    time: fc.integer({ min: 0, max: 3 }),
    fields: fc.record({ a: fc.integer({ min: 0, max: 2 }) }),
    order: fc.constantFrom('~1', '~2'),
    delivery: fc.constantFrom('p.0', 'p.1'),
  },
  { requiredKeys: ['time', 'fields'] },
);

const isSame = (left: Reading, right: Reading) =>
  left.time === right.time && identityOf(left) === identityOf(right);

describe('sorting readings', () => {
  it('puts them in the order of time and receipt, and keeps the last of equal ones', () => {
    fc.assert(
      fc.property(fc.array(few, { maxLength: 40 }), (readings) => {
        const compared: Reading[] = [];
        for (const time of [0, 1, 2, 3]) {
          for (const order of [undefined, '~1', '~2']) {
            compared.push(...readings.filter((each) => each.time === time && each.order === order));
          }
        }
        const last = compared.filter(
          (reading, index) => !compared.slice(index + 1).some((later) => isSame(reading, later)),
        );
        expect(sortedUnique(readings)).toEqual(last);
      }),
    );
  });

  it('keeps the last state of a moment last, also where the device sent it before', () => {
    const sent = ['ON', 'OFF', 'ON'].map((state) => ({ time: 1, fields: { state } }));
    expect(sortedUnique(sent).map(({ fields }) => fields['state'])).toEqual(['OFF', 'ON']);
  });

  it('keeps equal readings of different deliveries', () => {
    const presses = ['p.0', 'p.1', 'p.1'].map((delivery) => {
      return { time: 1, fields: { action: 'single' }, delivery };
    });
    expect(sortedUnique(presses)).toEqual([presses[0], presses[2]]);
  });

  it('has no expensive step', () => {
    const all = Array.from({ length: 20_000 }, (_, value) => ({ time: 1, fields: { value } }));
    const costs = [...sortInSlices(all)];
    expect(Math.max(...costs)).toBeLessThanOrEqual(2000);
  });
});
