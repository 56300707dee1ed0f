import { dollarsPerMillion } from './prices.ts';

it('adds write units and read units of a million readings', () => {
  expect(dollarsPerMillion({ writeUnits: 1, readUnits: 0 })).toBeCloseTo(0.625);
  expect(dollarsPerMillion({ writeUnits: 0.1, readUnits: 0.5 })).toBeCloseTo(0.125);
});
