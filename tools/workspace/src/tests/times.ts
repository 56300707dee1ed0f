import type { FileTimes, PhaseTime } from './results.ts';

/** Seconds of a file, or of all files of a project. */
export interface Times {
  name: string;
  tests: number;
  /** CPU of the module loading, the hooks, and the tests, in the worker. */
  load: number;
  start: number;
  test: number;
  /** CPU of child processes that ended. */
  child: number;
  /** Neither the worker nor an ended child process computed: also while another test computes. */
  wait: number;
  wall: number;
}

const columns = ['load', 'start', 'test', 'child', 'wait', 'wall'] as const;

export function timesOf({ file, tests, phases }: FileTimes): Times {
  const all = Object.values(phases);
  const cpu = (...names: (keyof FileTimes['phases'])[]) =>
    seconds(
      names.flatMap((name) => phases[name] ?? []),
      'cpuMs',
    );
  const wall = seconds(all, 'wallMs');
  const child = seconds(all, 'childCpuMs');
  const wait = Math.max(0, wall - seconds(all, 'cpuMs') - child);
  const [load, start, test] = [cpu('load'), cpu('start', 'between', 'end'), cpu('test')];
  return { name: file, tests, load, start, test, child, wait, wall };
}

/** @returns lines of a table with a row for each project, the one with the most CPU time first, and a total */
export function projectTable(files: readonly FileTimes[]): string[] {
  if (files.length === 0) return [];
  const byProject = Map.groupBy(files.map(timesOf), ({ name }) =>
    name.split('/').slice(0, 2).join('/'),
  );
  const projects = [...byProject].map(([name, own]) => total(name, own));
  return table([...projects.toSorted(byCpu), total('all', projects)]);
}

/** @returns the same, with a row for each of the `count` files with the most CPU time, then the most waiting */
export function fileTable(files: readonly FileTimes[], count: number): string[] {
  const rows = files.map(timesOf);
  const waiting = rows.toSorted((one, other) => other.wait - one.wait);
  return [
    ...table(rows.toSorted(byCpu).slice(0, count)),
    '',
    'files that wait most',
    ...table(waiting.slice(0, count)),
  ];
}

function table(rows: readonly Times[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(width) + cells.map((cell) => cell.padStart(8)).join('');
  return [
    line('seconds', ['tests', ...columns]),
    ...rows.map((row) =>
      line(row.name, [String(row.tests), ...columns.map((column) => row[column].toFixed(1))]),
    ),
  ];
}

function total(name: string, rows: readonly Times[]): Times {
  const sum = (key: Exclude<keyof Times, 'name'>) =>
    rows.reduce((reached, row) => reached + row[key], 0);
  const [load, start, test] = [sum('load'), sum('start'), sum('test')];
  const [child, wait, wall] = [sum('child'), sum('wait'), sum('wall')];
  return { name, tests: sum('tests'), load, start, test, child, wait, wall };
}

function byCpu(one: Times, other: Times): number {
  return cpuOf(other) - cpuOf(one);
}

function cpuOf({ load, start, test, child }: Times): number {
  return load + start + test + child;
}

function seconds(phases: readonly PhaseTime[], unit: keyof PhaseTime): number {
  return phases.reduce((sum, phase) => sum + phase[unit], 0) / 1000;
}
