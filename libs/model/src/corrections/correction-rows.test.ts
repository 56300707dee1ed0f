import { compareBytes } from '@engawa/keys';
import fc from 'fast-check';
import {
  correctionLengths,
  correctionRowKeyOf,
  noCorrectionRows,
  touchingRows,
  withCorrectionRow,
} from './correction-rows.ts';
import { correctionItem, parseCorrection } from './correction.ts';
import { cutCorrections } from './correction-state.ts';
import { deviceItem, parseDevice } from '../devices/device.ts';
import type { Correction } from './correction.ts';
import type { Device } from '../devices/device.ts';

const day = 86_400_000;
const correction: Correction = {
  ...{ device: 'meter', id: 'one', sequence: 1, operation: 'delete' as const },
  ...{ from: 0, to: day, why: 'a test', madeAt: day },
};

it('the rows of a range have each correction that touches it, and begin shortly before it', () => {
  const time = fc.integer({ min: 0, max: 4000 * day });
  const length = fc
    .oneof(fc.nat(2 * day), fc.nat(40 * day), fc.nat(2000 * day))
    .map((ms) => ms + 1);
  fc.assert(
    fc.property(time, length, time, length, (from, lasting, start, width) => {
      const range = { from: start, to: start + width };
      const given = { ...correction, from, to: from + lasting };
      const { sk } = correctionRowKeyOf(given);
      const classes = correctionLengths.keys().filter((lengthClass) => {
        const rows = touchingRows(lengthClass, range);
        return compareBytes(sk, rows.from) >= 0 && compareBytes(sk, rows.to) <= 0;
      });
      const found = [...classes];
      const touches = given.from < range.to && given.to > range.from;
      expect(found.length).toBeLessThanOrEqual(1);
      if (touches) expect(found).toHaveLength(1);
      const [longest = 0] = found.map((lengthClass) => correctionLengths[lengthClass] ?? 0);
      if (found.length > 0) expect(given.from).toBeGreaterThanOrEqual(range.from - longest);
    }),
  );
});

it('a row is parsed as its correction', () => {
  const row = { ...correctionItem(correction), ...correctionRowKeyOf(correction) };
  expect(parseCorrection(row)).toEqual(correction);
});

it('the rows of a device are counted by class, kept in its item, and by a cut', () => {
  const lengths = [1, day, day + 1, 1024 * day, 1025 * day];
  const readings = [{ time: 0, fields: { power: 1 } }];
  const rows = lengths
    .map((to): Correction => ({ ...correction, to, ...(to === 1 && { readings }) }))
    .reduce(withCorrectionRow, noCorrectionRows);
  expect(rows).toEqual({ counts: [2, 1, 1, 1], weight: 6 });
  const corrections = { version: 'one', made: 5, openUntil: 9, rows };
  const device: Device = {
    ...{ id: 'meter', name: 'meter', kind: 'climate', status: 'active', registeredAt: 0 },
    ...{ lastSeenAt: 0, span: 0, version: 1, corrections },
  };
  expect(parseDevice(deviceItem(device, { list: 1, seen: 1 })).corrections).toEqual(corrections);
  expect(cutCorrections(corrections, 5, 'two')).toEqual({
    ...{ version: 'two', made: 5, rows },
    cuts: [{ made: 5, at: 5 }],
  });
});
