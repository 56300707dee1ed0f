import { tableOfTimes } from '../src/task-times.ts';

it('has a row per project, the slowest first, and marks projects without a run', () => {
  const lines = tableOfTimes([
    { project: 'keys', target: 'lint', durationMs: 2000, isCached: false },
    { project: 'query', target: 'lint', durationMs: 1000, isCached: true },
    { project: 'query', target: 'test', durationMs: 61_500, isCached: false },
  ]);
  expect(lines.map((line) => line.split(/\s{2,}/))).toEqual([
    [''],
    ['seconds (* from cache)', 'lint', 'test', 'total'],
    ['query', '1.0*', '61.5', '62.5'],
    ['keys', '2.0', '2.0'],
  ]);
});
