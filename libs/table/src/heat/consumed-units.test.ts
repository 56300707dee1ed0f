import { consumedUnits } from './consumed-units.ts';

const write = { index: 'table', unit: 'write' } as const;
const read = { index: 'table', unit: 'read' } as const;

it('reads the consumed units of the table and of its indexes', () => {
  const capacity = {
    CapacityUnits: 3,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: { gsi1: { CapacityUnits: 2 } },
  };
  const expected = [
    { index: 'table', unit: 'write', units: 1 },
    { index: 'gsi1', unit: 'write', units: 2 },
  ];
  expect(consumedUnits(capacity, write)).toEqual(expected);
  expect(consumedUnits([capacity], write)).toEqual(expected);
  expect(consumedUnits(undefined, write)).toEqual([]);
});

it('attributes the total to the requested index where no index is reported', () => {
  const expected = [{ index: 'table', unit: 'read', units: 0.5, isSum: true }];
  expect(consumedUnits({ CapacityUnits: 0.5 }, read)).toEqual(expected);
  const ofIndex = [{ index: 'gsi1', unit: 'read', units: 2, isSum: true }];
  expect(consumedUnits({ CapacityUnits: 2 }, { ...read, index: 'gsi1' })).toEqual(ofIndex);
});

it('gives the units of a transaction the unit that DynamoDB reports', () => {
  const written = { CapacityUnits: 4, WriteCapacityUnits: 4, ReadCapacityUnits: 0 };
  const all = [{ index: 'table', unit: 'write', units: 4 }];
  expect(consumedUnits([{ Table: written }], write)).toEqual(all);
  // A retry after the transaction took place: DynamoDB only read.
  const onlyRead = [{ index: 'table', unit: 'read', units: 2 }];
  const again = { CapacityUnits: 2, ReadCapacityUnits: 2 };
  expect(consumedUnits([{ Table: again }], write)).toEqual(onlyRead);
  expect(consumedUnits([again], write)).toMatchObject(onlyRead);
});
