import { bucketOf } from '../../src/oracles/buckets.ts';
import { Series } from '../../src/oracles/series.ts';
import { MembershipHistory } from '../../src/oracles/membership-history.ts';

describe("the model of a device's memberships", () => {
  it('keeps the time in a deleted room as time in the place without a room', () => {
    const stays = new MembershipHistory();
    stays.move({ place: 'house' }, 1);
    stays.move({ place: 'house', room: 'hall' }, 2);
    stays.move({ place: 'house' }, 3);
    stays.move({ place: 'cabin', room: 'hall' }, 4);

    stays.forget({ place: 'house', room: 'hall' });

    expect(stays.history).toEqual([
      { place: 'cabin', room: 'hall', since: 4 },
      { place: 'house', since: 1, until: 4 },
    ]);
  });
});

describe('the model of readings', () => {
  it('counts an increase from the last value before a bucket, except across a reset', () => {
    const series = new Series();
    series.note({ time: 1, values: { energy: 5 } });
    series.note({ time: 20, values: { energy: 7 } });
    const increase = () => bucketOf([{ series }], { from: 10, to: 30 })['energy']?.['increase'];
    expect(increase()).toBe(2);

    const reset = { id: 'one', operation: 'reset', from: 15, to: 16, isUndone: false } as const;
    series.corrections.push(reset);

    expect(increase()).toBe(0);
  });

  it('applies the latest of several corrections', () => {
    const series = new Series();
    series.note({ time: 10, values: { energy: 5, temperature: 20 } });
    const range = { from: 0, to: 30, isUndone: false };
    const readings = [{ time: 11, values: { energy: 6 } }];
    series.corrections.push({
      id: 'one',
      operation: 'replace',
      fields: ['energy'],
      readings,
      ...range,
    });
    expect(series.shown).toEqual([
      { time: 10, values: { temperature: 20 } },
      { time: 11, values: { energy: 6 } },
    ]);

    series.corrections.push({ id: 'two', operation: 'delete', fields: ['energy'], ...range });

    expect(series.shown).toEqual([{ time: 10, values: { temperature: 20 } }]);
  });
});
