import { renderRows } from '../report.ts';
import { median, quantile, spread } from '../statistics.ts';
import { loadCases } from './loads.ts';
import { dollarsPerMillion, prices } from './prices.ts';
import type { Finding } from '../report.ts';
import type { LoadRun } from './measure-load.ts';
import type { PeerResults } from './results.ts';

/** Both kinds of ingestion compared with the cheapest other peer of the same run. */
export function findingsOf(results: readonly PeerResults[]): Finding[] {
  const isEngawa = ({ peer }: PeerResults) => peer.name.startsWith('engawa');
  const others = results.filter((result) => !isEngawa(result));
  return results.filter(isEngawa).flatMap((engawa) => {
    const cpu = loadCases.flatMap(({ name }) => cpuFinding(name, engawa, others) ?? []);
    return [...cpu, ...killsFinding(engawa)];
  });
}

function cpuFinding(
  name: string,
  engawa: PeerResults,
  others: readonly PeerResults[],
): Finding | undefined {
  const measured = cpuOf(engawa, name);
  if (measured.length === 0) return undefined;
  const finding = {
    what: `CPU of ${engawa.peer.name}, ${name}, µs per reading`,
    measured: spread(measured, 1),
  };
  const [cheapest] = others
    .map((other) => ({ name: other.peer.name, cpu: cpuOf(other, name) }))
    .filter(({ cpu }) => cpu.length > 0)
    .toSorted((a, b) => median(a.cpu) - median(b.cpu));
  if (cheapest === undefined) return { ...finding, baseline: '', ratio: '', target: '' };
  const ratio = median(measured) / median(cheapest.cpu);
  return {
    ...finding,
    baseline: `${cheapest.name}: ${spread(cheapest.cpu, 1)}`,
    ratio: ratio.toFixed(2),
    target: '≤ 1',
    reached: ratio <= 1,
  };
}

function killsFinding({ peer, kills }: PeerResults): Finding[] {
  if (kills === undefined) return [];
  const wrong = kills.lost + kills.doubled + kills.changed;
  return [
    {
      what: `lost, doubled or changed readings after kills of ${peer.name}`,
      measured: String(wrong),
      baseline: `${kills.published} published`,
      ratio: '',
      target: '0',
      reached: wrong === 0,
    },
  ];
}

function cpuOf({ loads }: PeerResults, name: string): number[] {
  return (loads.get(name) ?? []).map(({ cpu }) => cpu);
}

/** A table for each measured part. */
export function tablesOf(results: readonly PeerResults[]): string[] {
  return [
    table('CPU and memory', cpuColumns, results.flatMap(cpuRow)),
    table(
      `Requests and units (dollars: on demand, ${prices.region}, since ${prices.since})`,
      unitsColumns,
      results.flatMap(unitsRows),
    ),
    table('Kills', killsColumns, results.flatMap(killsRow)),
    table('Latency from the intended publication until stored, ms', latencyColumns, [
      ...results.flatMap(latencyRow),
    ]),
  ].filter((text) => text !== '');
}

function table(title: string, columns: readonly string[], rows: string[][]): string {
  return rows.length === 0 ? '' : `${title}:\n\n${renderRows(columns, rows)}`;
}

const cpuColumns = [
  'peer',
  ...loadCases.map(({ name }) => `${name}, µs`),
  'warm-up of single readings, µs',
  'start, ms of CPU',
  'idle, MB',
  'peak, MB',
];

function cpuRow({ peer, loads }: PeerResults): string[][] {
  const runs = [...loads.values()].flat();
  if (runs.length === 0) return [];
  const figures = (some: readonly LoadRun[], value: (run: LoadRun) => number, digits: number) =>
    some.length === 0 ? '–' : spread(some.map(value), digits);
  const cases = loadCases.map(({ name }) => loads.get(name) ?? []);
  const [single = []] = cases;
  return [
    [
      peer.name,
      ...cases.map((some) => figures(some, ({ cpu }) => cpu, 1) + lossNote(some)),
      figures(single, ({ coldCpu }) => coldCpu, 1),
      figures(runs, ({ startCpu }) => startCpu / 1000, 0),
      figures(runs, ({ idleMemory }) => megabytes(idleMemory), 0),
      figures(runs, ({ peakMemory }) => megabytes(peakMemory), 0),
    ],
  ];
}

function lossNote(runs: readonly LoadRun[]): string {
  const lost = runs.reduce((sum, run) => sum + run.lost, 0);
  return lost === 0 ? '' : ` (${lost} lost)`;
}

const megabytes = (bytes: number): number => bytes / 1e6;

const unitsColumns = [
  'peer',
  'messages',
  'requests per reading',
  'write units per reading',
  'read units per reading',
  '$ per million readings',
];

function unitsRows({ peer, counted }: PeerResults): string[][] {
  return [...counted].flatMap(([name, { consumption }]) => {
    if (consumption === undefined) return [];
    const { requests, writeUnits, readUnits } = consumption;
    const digits = [requests, writeUnits, readUnits].map((value) => value.toFixed(4));
    return [[peer.name, name, ...digits, dollarsPerMillion(consumption).toFixed(3)]];
  });
}

const killsColumns = ['peer', 'published', 'lost', 'doubled', 'changed'];

function killsRow({ peer, kills }: PeerResults): string[][] {
  if (kills === undefined) return [];
  const { published, lost, doubled, changed } = kills;
  return [[peer.name, ...[published, lost, doubled, changed].map(String)]];
}

const latencyColumns = ['peer', 'p50', 'p99', 'maximum', 'not stored'];

function latencyRow({ peer, latency }: PeerResults): string[][] {
  if (latency === undefined || latency.latencies.length === 0) return [];
  const { latencies, lost } = latency;
  const digits = [0.5, 0.99, 1].map((part) => quantile(latencies, part).toFixed(0));
  return [[peer.name, ...digits, String(lost)]];
}
