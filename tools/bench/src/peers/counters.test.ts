import { consumptionPerReading } from './counters.ts';

it('adds the operations, and the units of the table and its indexes', () => {
  const counters = {
    requests: { BatchWriteItem: 4, UpdateItem: 1 },
    units: { 'table write': 100, 'gsi1 write': 20, 'table read': 5 },
  };
  expect(consumptionPerReading(counters, 100)).toEqual({
    requests: 0.05,
    writeUnits: 1.2,
    readUnits: 0.05,
  });
});
