import type { HotPartition } from './observed.ts';
import type { Look, View } from './scene.ts';

const width = 100;

/** Lines of readable length. */
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

/** One look, in a line. */
export function lineOf(seconds: number, { device, list, others }: Look): string {
  return [
    secondsOf(seconds),
    shown('device', device),
    shown('list', list),
    `others ${others.toFixed(0)}/s`,
  ].join(' | ');
}

function shown(name: string, view: View | undefined): string {
  if (view === undefined) return `${name} -`.padEnd(56);
  const { wanted, stored, throttles, shards } = view;
  const keys = shards.every((count) => count === 1) ? 'key' : 'keys';
  return `${name} stored ${stored.toFixed(0)} of ${wanted}/s, turned away ${throttles.toFixed(0)}/s, ${shards.join('+')} ${keys}`.padEnd(
    56,
  );
}

/** What is hot and what to do, as the service says it. */
export function adviceOn(partitions: readonly HotPartition[]): string[] {
  return partitions
    .slice(0, 2)
    .flatMap(({ index, partition, unit, unitsPerSecond, advice }) => [
      `   ${index} ${partition}: ${unitsPerSecond.toFixed(0)} ${unit} units a second`,
      ...advice.flatMap((text) =>
        wrapped(text, '     ').map((line, number) => bulleted(line, number)),
      ),
    ]);
}

const bulleted = (line: string, number: number): string =>
  number === 0 ? line.replace(/^ {5}/, '   - ') : line;

export interface Told {
  /** Seconds at which things have happened. */
  marks: ReadonlyMap<string, number>;
  published: number;
  wanted: number;
}

export function summaryOf({ marks, published, wanted }: Told): string[] {
  const throttled = marks.get('throttled') ?? 0;
  const after = (what: string): string => `${((marks.get(what) ?? 0) - throttled).toFixed(0)} s`;
  return [
    '',
    'What you have seen:',
    `   named with advice    ${after('detected')} after both keys were throttled`,
    `   more keys decided    after ${after('grown')}`,
    `   full rate stored     after ${after('back')}`,
    `   lost                 nothing: all ${published} readings and all ${wanted} devices were read back, once each`,
    '',
    'What to look at next:',
    '   docs/hot-partitions.md                 what each reason means and what to do',
    '   npm run bench -- hot                   the same with figures, and with relief switched off',
    '   npm start, then /v1/hot-partitions     on a stack of your own',
    '   tools/dynamodb-simulator/README.md     the simulator that throttled here',
  ];
}
