import { renderTable } from './report.ts';

it('aligns the columns and says what was reached', () => {
  const table = renderTable([
    { what: 'CPU', measured: '43.0', floor: '40.0', ratio: '1.08', reach: '≤ 1.3', reached: true },
    { what: 'units', measured: '2', floor: '1', ratio: '2', reach: '≤ 1.05', reached: false },
    { what: 'more', measured: '7', floor: '', ratio: '', reach: '' },
  ]);
  expect(table.split('\n')).toEqual([
    '| what  | measured | floor | ratio | reach  |        |',
    '| ----- | -------- | ----- | ----- | ------ | ------ |',
    '| CPU   | 43.0     | 40.0  | 1.08  | ≤ 1.3  | ok     |',
    '| units | 2        | 1     | 2     | ≤ 1.05 | missed |',
    '| more  | 7        |       |       |        |        |',
  ]);
});
