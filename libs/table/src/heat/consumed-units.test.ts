import { consumedUnits } from './consumed-units.ts';

it('reads what was consumed by the table and by its indexes', () => {
  const capacity = {
    CapacityUnits: 3,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: { gsi1: { CapacityUnits: 2 } },
  };
  const expected = [
    { index: 'table', unit: 'write', units: 1 },
    { index: 'gsi1', unit: 'write', units: 2 },
  ];
  expect(consumedUnits(capacity, 'write')).toEqual(expected);
  expect(consumedUnits([capacity], 'write')).toEqual(expected);
  expect(consumedUnits(undefined, 'write')).toEqual([]);
});

it('takes the sum for the table where no more is told', () => {
  const expected = [{ index: 'table', unit: 'read', units: 0.5 }];
  expect(consumedUnits({ CapacityUnits: 0.5 }, 'read')).toEqual(expected);
});

it('takes units of a transaction for what DynamoDB calls them', () => {
  const written = { CapacityUnits: 4, WriteCapacityUnits: 4, ReadCapacityUnits: 0 };
  const write = [{ index: 'table', unit: 'write', units: 4 }];
  expect(consumedUnits([{ Table: written }], 'write')).toEqual(write);
  // Sent again after it took place: it was only read.
  const read = [{ index: 'table', unit: 'read', units: 2 }];
  const again = { CapacityUnits: 2, ReadCapacityUnits: 2 };
  expect(consumedUnits([{ Table: again }], 'write')).toEqual(read);
});
