import type { HotPartition, HotLoadSample, View } from './hot-load.ts';

const width = 100;
const columnWidth = 56;
/** Hot partitions whose advice is shown. */
const maxPartitions = 2;

/** Lines of up to 100 characters. */
export function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + word.length + 1 > width) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}

export function secondsOf(seconds: number): string {
  return `${seconds.toFixed(0).padStart(4)} s`;
}

/** One look as a line. */
export function lineOf(seconds: number, { device, list, others }: HotLoadSample): string {
  const columns = [columnOf('device', device), columnOf('list', list)];
  return [secondsOf(seconds), ...columns, `others ${others.toFixed(0)}/s`].join(' | ');
}

function columnOf(name: string, view: View | undefined): string {
  if (view === undefined) return `${name} -`.padEnd(columnWidth);
  const { offered, stored, throttled, shards } = view;
  const noun = shards.every((count) => count === 1) ? 'shard' : 'shards';
  return `${name} stored ${stored.toFixed(0)} of ${offered}/s, throttled ${throttled.toFixed(0)}/s, ${shards.join('+')} ${noun}`.padEnd(
    columnWidth,
  );
}

/** Hot partitions and the advice on them, in the service's own words. */
export function adviceLines(partitions: readonly HotPartition[]): string[] {
  return partitions
    .slice(0, maxPartitions)
    .flatMap(({ index, partition, unit, unitsPerSecond, advice }) => [
      `   ${index} ${partition}: ${unitsPerSecond.toFixed(0)} ${unit} units a second`,
      ...advice.flatMap((text) => {
        const [first = '', ...rest] = wrapped(text, '     ');
        return [first.replace(/^ {5}/, '   - '), ...rest];
      }),
    ]);
}

export interface DemonstrationOutcome {
  /** Seconds at which each step was reached. */
  reachedAt: ReadonlyMap<string, number>;
  published: number;
  created: number;
}

export function summaryOf({ reachedAt, published, created }: DemonstrationOutcome): string[] {
  const throttledAt = reachedAt.get('throttled') ?? 0;
  const after = (step: string): string =>
    `${((reachedAt.get(step) ?? 0) - throttledAt).toFixed(0)} s`;
  return [
    '',
    'Summary, from the first throttle of both keys:',
    `   detected, with advice   after ${after('detected')}`,
    `   more shards decided     after ${after('grown')}`,
    `   full rate stored        after ${after('recovered')}`,
    `   lost                    nothing: all ${published} readings and all ${created} devices were read back, once each`,
    '',
    'Next:',
    '   docs/hot-partitions.md                 what each reason means and what to do',
    '   npm run bench -- hot                   the same with figures, with and without mitigation',
    '   npm start, then /v1/hot-partitions     on a stack of your own',
    '   tools/dynamodb-simulator/README.md     the simulator that throttled here',
  ];
}
