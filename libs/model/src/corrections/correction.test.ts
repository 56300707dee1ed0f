import { correctionItem, isSameCorrection, parseCorrection } from './correction.ts';
import { appliedRanges, cutCorrections } from './correction-state.ts';
import { Decimal } from '../values/decimal.ts';
import { deviceItem, parseDevice } from '../devices/device.ts';
import { isBlockItem } from '../readings/block.ts';
import type { Correction } from './correction.ts';
import type { Device } from '../devices/device.ts';

const correction: Correction = {
  device: 'meter#1',
  id: 'a#b',
  sequence: 7,
  operation: 'replace',
  from: 1000,
  to: 9000,
  fields: ['energy', 'constructor'],
  readings: [
    { time: 2000, fields: { constructor: null, energy: 1 } },
    { time: 3000, fields: { energy: new Decimal('12345678901234567890.1') } },
  ],
  why: 'read by hand',
  by: 'somebody',
  madeAt: 10_000,
};

describe('a correction', () => {
  it('is read from its item unchanged', () => {
    const undone = { ...correction, undoneAt: 11_000, undoneBy: 'somebody else' };
    expect(parseCorrection(correctionItem(correction))).toEqual(correction);
    expect(parseCorrection(correctionItem(undone))).toEqual(undone);
    const limited = { ...correction, within: [range(1000, 2000), range(3000, 9000)] };
    expect(parseCorrection(correctionItem(limited))).toEqual(limited);
    const { device, id, sequence, operation, from, to, why, madeAt } = correction;
    const least = { device, id, sequence, operation, from, to, why, madeAt };
    expect(parseCorrection(correctionItem(least))).toEqual(least);
  });

  it('is never parsed as a reading block', () => {
    expect(isBlockItem(correctionItem(correction))).toBe(false);
  });

  it('equals another correction with the same request', () => {
    const again = { ...correction, sequence: 8, madeAt: 20_000, by: 'somebody else' };
    expect(isSameCorrection(correction, again)).toBe(true);
    expect(isSameCorrection(correction, { ...again, why: 'else' })).toBe(false);
    expect(isSameCorrection(correction, { ...again, readings: [] })).toBe(false);
    expect(isSameCorrection(correction, { ...again, to: 9001 })).toBe(false);
  });
});

it("the state of a device's corrections is stored in its item", () => {
  const device: Device = {
    ...{ id: 'd', name: 'd', registeredAt: 1, lastSeenAt: 0, span: 0, version: 1 },
    kind: 'other',
    status: 'active',
    corrections: { version: 'v', made: 3 },
  };
  expect(parseDevice(deviceItem(device))).toEqual(device);
  const cuts = [{ made: 2, at: 5 }];
  const cut = { ...device, corrections: { version: 'v', made: 3, openUntil: 7, cuts } };
  expect(parseDevice(deviceItem(cut))).toEqual(cut);
});

describe('a correction that is limited to stays', () => {
  const within = [range(1000, 2000), range(3000, 9000)];

  it('ends with the first move after it was made', () => {
    const cuts = [
      { made: 6, at: 1500 },
      { made: 8, at: 4000 },
      { made: 9, at: 5000 },
    ];
    const limited = { ...correction, within };
    expect(appliedRanges(limited, { cuts })).toEqual([range(1000, 2000), range(3000, 4000)]);
    expect(appliedRanges({ ...limited, sequence: 9 }, { cuts })[1]).toEqual(range(3000, 5000));
    expect(appliedRanges({ ...limited, sequence: 10 }, { cuts })).toEqual(within);
    expect(appliedRanges({ ...limited, sequence: 6 }, { cuts })).toEqual([range(1000, 1500)]);
    expect(appliedRanges(correction, { cuts })).toEqual([range(1000, 9000)]);
  });

  it('is cut only by a move before its end', () => {
    const state = { version: 'v', made: 3, openUntil: 9000 };
    expect(cutCorrections(state, 9000, 'w')).toBe(state);
    const cut = cutCorrections(state, 8999, 'w');
    expect(cut).toEqual({ version: 'w', made: 3, cuts: [{ made: 3, at: 8999 }] });
    expect(cutCorrections(cut, 9001, 'x')).toBe(cut);
  });
});

function range(from: number, to: number) {
  return { from, to };
}
