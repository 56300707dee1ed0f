import { renderTable } from './report.ts';

it('aligns columns and marks reached targets', () => {
  const table = renderTable([
    {
      what: 'CPU',
      measured: '43.0',
      baseline: '40.0',
      ratio: '1.08',
      target: '≤ 1.3',
      reached: true,
    },
    { what: 'units', measured: '2', baseline: '1', ratio: '2', target: '≤ 1.05', reached: false },
    { what: 'more', measured: '7', baseline: '', ratio: '', target: '' },
  ]);
  expect(table.split('\n')).toEqual([
    '| measurement | measured | baseline | ratio | target |        |',
    '| ----------- | -------- | -------- | ----- | ------ | ------ |',
    '| CPU         | 43.0     | 40.0     | 1.08  | ≤ 1.3  | ok     |',
    '| units       | 2        | 1        | 2     | ≤ 1.05 | missed |',
    '| more        | 7        |          |       |        |        |',
  ]);
});
