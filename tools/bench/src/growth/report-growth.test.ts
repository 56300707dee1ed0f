import { findingsOf, rowsOf } from './report-growth.ts';
import type { MeasuredSize } from './report-growth.ts';

function sizeWith(readings: number, readUnits: number): MeasuredSize {
  const usage = { cpu: 1000, requests: 1, readUnits, writeUnits: 0, peakMemory: 1e8 };
  return {
    size: { readings, devices: 10 },
    costs: new Map([
      ['a device', usage],
      ['start of ingestion', usage],
    ]),
  };
}

it('finds more units in a larger table, except at the start of ingestion', () => {
  const findings = (largest: number) => findingsOf([sizeWith(1000, 0.5), sizeWith(1e5, largest)]);
  expect(findings(0.5)).toMatchObject([{ what: 'a device', reached: true }]);
  expect(findings(1)).toMatchObject([{ what: 'a device', reached: false }]);
});

it('has a row for each access pattern and size', () => {
  expect(rowsOf([sizeWith(1000, 0.5), sizeWith(1e5, 0.5)])).toHaveLength(4);
});
