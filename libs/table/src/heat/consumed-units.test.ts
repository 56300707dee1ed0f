import { consumedUnits } from './consumed-units.ts';

const write = { index: 'table', unit: 'write' } as const;
const read = { index: 'table', unit: 'read' } as const;

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
  expect(consumedUnits(capacity, write)).toEqual(expected);
  expect(consumedUnits([capacity], write)).toEqual(expected);
  expect(consumedUnits(undefined, write)).toEqual([]);
});

it('takes the sum for what was asked where no more is told', () => {
  const expected = [{ index: 'table', unit: 'read', units: 0.5, isSum: true }];
  expect(consumedUnits({ CapacityUnits: 0.5 }, read)).toEqual(expected);
  const ofIndex = [{ index: 'gsi1', unit: 'read', units: 2, isSum: true }];
  expect(consumedUnits({ CapacityUnits: 2 }, { ...read, index: 'gsi1' })).toEqual(ofIndex);
});

it('takes units of a transaction for what DynamoDB calls them', () => {
  const written = { CapacityUnits: 4, WriteCapacityUnits: 4, ReadCapacityUnits: 0 };
  const all = [{ index: 'table', unit: 'write', units: 4 }];
  expect(consumedUnits([{ Table: written }], write)).toEqual(all);
  // Sent again after it took place: it was only read.
  const onlyRead = [{ index: 'table', unit: 'read', units: 2 }];
  const again = { CapacityUnits: 2, ReadCapacityUnits: 2 };
  expect(consumedUnits([{ Table: again }], write)).toEqual(onlyRead);
  expect(consumedUnits([again], write)).toMatchObject(onlyRead);
});
