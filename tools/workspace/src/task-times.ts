interface TaskTime {
  project: string;
  target: string;
  durationMs: number;
  /** Its result was replayed from the cache of Nx. */
  isCached: boolean;
}

const times: TaskTime[] = [];

export function addTaskTime(time: TaskTime): void {
  times.push(time);
}

/** Prints a row for each project, the slowest first, with a column in seconds for each target. */
export function printTaskTimes(): void {
  for (const line of tableOfTimes(times)) console.log(line);
}

/** @returns lines of the table; a result from the cache is marked with `*` */
export function tableOfTimes(times: readonly TaskTime[]): string[] {
  const targets = [...new Set(times.map(({ target }) => target))];
  const byProject = Map.groupBy(times, ({ project }) => project);
  const rows = [...byProject].map(([project, own]) => ({
    project,
    own,
    total: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
  }));
  const cell = (time: TaskTime | undefined) =>
    time === undefined ? '' : seconds(time.durationMs) + (time.isCached ? '*' : '');
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(30) + cells.map((text) => text.padStart(11)).join('');
  return [
    '',
    line('seconds (* from cache)', [...targets, 'total']),
    ...rows
      .toSorted((one, other) => other.total - one.total)
      .map(({ project, own, total }) =>
        line(project, [
          ...targets.map((target) => cell(own.find((time) => time.target === target))),
          seconds(total),
        ]),
      ),
  ];
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}
