import { quantile } from '../statistics.ts';
import type { Finding } from '../report.ts';
import type { ReadingCounts } from './oracle.ts';
import type { OtherReading } from './watch.ts';

/** Offered load, as a multiple of a key's limit. */
export const excess = 10;
/**
 * Devices that publish the same load before, each below its key's limit: the effect of the load
 * alone on other devices.
 */
export const spread = 20;
const target = { seconds: 30, ratio: 1.2 };

/** The measurements of one run. */
export interface Run {
  mitigation: boolean;
  rate: number;
  /** Seconds from the first throttle until the whole offered load is stored. */
  recovery: number | undefined;
  /** Readings of other devices, before and while one device was hot. */
  others: { before: OtherReading[]; during: OtherReading[] };
  /** Stored over offered load in the last ten hot seconds. */
  share: number;
  shards: number;
  readingCounts: ReadingCounts;
  parked: { blocks: number; left: number };
  curve: string;
}

/** Without mitigation most lines have no target: they show the effect of mitigation, and that nothing is lost. */
export function findingsOf(run: Run): Finding[] {
  const name = run.mitigation ? 'device' : 'SHARD_GROWTH=off';
  return [
    recoveryOf(name, run),
    {
      what: `${name}: stored in the last ten seconds, /s; shards: ${run.shards}`,
      measured: (run.share * run.rate).toFixed(0),
      baseline: String(run.rate),
      ratio: run.share.toFixed(2),
      target: '',
    },
    latencyOf(name, run, 0.5),
    latencyOf(name, run, 0.99),
    ...partsOfLatency(name, run),
    readBackOf(name, run),
    parkedOf(name, run),
  ];
}

function recoveryOf(name: string, { mitigation, recovery, shards }: Run): Finding {
  return {
    what: `${name} at ${excess} × its key's limit: from the first throttle until the full rate is stored, s`,
    measured: recovery?.toFixed(1) ?? 'never',
    baseline: '',
    ratio: '',
    target: mitigation ? `≤ ${target.seconds}` : 'never',
    reached: mitigation
      ? recovery !== undefined && recovery <= target.seconds
      : recovery === undefined && shards === 1,
  };
}

function latencyOf(name: string, { mitigation, others }: Run, part: number): Finding {
  const [was, is] = quantiles(others, part, ({ latency }) => latency);
  const finding = {
    what: `${name}: p${part * 100} of other devices from publishing to durable, ms; baseline: the same load from ${spread} devices`,
    measured: String(is),
    baseline: String(was),
    ratio: (is / was).toFixed(2),
    target: '',
  };
  if (!mitigation || part !== 0.99) return finding;
  return { ...finding, target: `≤ ${target.ratio}`, reached: is <= was * target.ratio };
}

/** What the others wait for: the table of the benchmark, or what is before it. */
function partsOfLatency(name: string, { others }: Run): Finding[] {
  const parts: [string, (reading: OtherReading) => number][] = [
    ['in the request that stores it (proxy, simulator and engine)', ({ requestMs }) => requestMs],
    [
      'before that request (broker and ingestion)',
      ({ latency, requestMs }) => Math.max(0, latency - requestMs),
    ],
  ];
  return parts.map(([what, partOf]) => {
    const [was, is] = quantiles(others, 0.99, partOf);
    return {
      what: `${name}: p99 of the part ${what}, ms`,
      measured: is.toFixed(0),
      baseline: was.toFixed(0),
      ratio: (is / was).toFixed(2),
      target: '',
    };
  });
}

function quantiles(
  { before, during }: Run['others'],
  part: number,
  of: (reading: OtherReading) => number,
): [number, number] {
  return [quantile(before.map(of), part), quantile(during.map(of), part)];
}

function readBackOf(name: string, { mitigation, readingCounts }: Run): Finding {
  const { sent, missing, surplus } = readingCounts;
  const when = mitigation ? '' : ', once the limit was lifted';
  const wrong = missing + surplus === 0 ? '' : ` (${missing} missing, ${surplus} too many)`;
  return {
    what: `${name}: readings of all devices found once${when}`,
    measured: `${sent - missing}${wrong}`,
    baseline: String(sent),
    ratio: '',
    target: 'all',
    reached: missing === 0 && surplus === 0,
  };
}

function parkedOf(name: string, { parked: { blocks, left } }: Run): Finding {
  return {
    what: `${name}: blocks parked during the run → left at the end`,
    measured: `${blocks} → ${left}`,
    baseline: '',
    ratio: '',
    target: '0 left',
    reached: left === 0,
  };
}
