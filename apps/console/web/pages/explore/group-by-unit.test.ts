import { groupByUnit } from './group-by-unit.ts';

const known = [
  { name: 'power', unit: 'W', isCounter: false },
  { name: 'switch:1.power', unit: 'W', isCounter: false },
  { name: 'temperature', unit: '°C', isCounter: false },
  { name: 'energyImport', unit: 'kWh', isCounter: true },
  { name: 'lux', unit: undefined, isCounter: false },
];

test('fields of a unit share a chart, and fields without a unit have their own', () => {
  const chosen = ['power', 'temperature', 'switch:1.power', 'lux', 'unknown'];
  expect(groupByUnit(chosen, known, true).map(({ unit, fields }) => [unit, fields])).toEqual([
    ['W', ['power', 'switch:1.power']],
    ['°C', ['temperature']],
    [undefined, ['lux']],
    [undefined, ['unknown']],
  ]);
});

test('counters are bars, but every reading of a counter is a line', () => {
  expect(groupByUnit(['energyImport'], known, true)).toMatchObject([{ isCounter: true }]);
  expect(groupByUnit(['energyImport'], known, false)).toMatchObject([{ isCounter: false }]);
});
