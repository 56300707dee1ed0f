import { fileTable, projectTable } from '../src/tests/times.ts';
import type { FileTimes } from '../src/tests/results.ts';

const phase = (wallMs: number, cpuMs: number, childCpuMs = 0) => ({ wallMs, cpuMs, childCpuMs });

const files: FileTimes[] = [
  {
    file: 'libs/keys/src/tuple.test.ts',
    tests: 2,
    phases: { load: phase(300, 200), test: phase(700, 600) },
  },
  {
    file: 'apps/query/test/latest.test.ts',
    tests: 3,
    phases: {
      load: phase(1000, 900),
      start: phase(2000, 500, 400),
      test: phase(10_000, 1500, 100),
      between: phase(100, 100),
    },
  },
];

const cells = (lines: readonly string[]) => lines.map((line) => line.split(/\s{2,}/));

it('has a row for each project, the one with the most CPU time first, and their sum', () => {
  expect(cells(projectTable(files))).toEqual([
    ['seconds', 'tests', 'load', 'start', 'test', 'child', 'wait', 'wall'],
    ['apps/query', '3', '0.9', '0.6', '1.5', '0.5', '9.6', '13.1'],
    ['libs/keys', '2', '0.2', '0.0', '0.6', '0.0', '0.2', '1.0'],
    ['all', '5', '1.1', '0.6', '2.1', '0.5', '9.8', '14.1'],
  ]);
});

it('has the files with the most CPU time, then those that wait most', () => {
  const names = cells(fileTable(files, 1)).map(([name]) => name);
  const query = 'apps/query/test/latest.test.ts';
  expect(names).toEqual(['seconds', query, '', 'files that wait most', 'seconds', query]);
});

it('has no table where no test was run', () => {
  expect(projectTable([])).toEqual([]);
});
