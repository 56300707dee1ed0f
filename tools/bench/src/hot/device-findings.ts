import { quantile } from '../statistics.ts';
import type { Finding } from '../report.ts';
import type { Verdict } from './oracle.ts';

/** How often what a key takes is wanted of it. */
export const excess = 10;
/** Devices that publish as much before, each less than its key takes: what so much traffic does to others by itself. */
export const spread = 20;
const reach = { seconds: 30, ratio: 1.2 };

/** What one run has shown. */
export interface Run {
  relief: boolean;
  rate: number;
  /** Seconds from the first throttle until all that is offered is stored. */
  recovery: number | undefined;
  /** Milliseconds that others took, before and while one was hot. */
  others: { before: number[]; during: number[] };
  /** Of the last ten seconds that it was hot: stored over offered. */
  share: number;
  shards: number;
  verdict: Verdict;
  parked: { blocks: number; left: number };
  curve: string;
}

/** Without relief hardly anything is to be reached: it shows what relief is for, and that nothing is lost either. */
export function findingsOf(run: Run): Finding[] {
  const name = run.relief ? 'device' : 'SHARD_GROWTH=off';
  return [
    recoveryOf(name, run),
    {
      what: `${name}: stored in its last ten seconds, /s; keys: ${run.shards}`,
      measured: (run.share * run.rate).toFixed(0),
      floor: String(run.rate),
      ratio: run.share.toFixed(2),
      reach: '',
    },
    latencyOf(name, run, 0.5),
    latencyOf(name, run, 0.99),
    readBackOf(name, run),
    parkedOf(name, run),
  ];
}

function recoveryOf(name: string, { relief, recovery, shards }: Run): Finding {
  return {
    what: `${name} at ${excess} × its key's limit: from the first throttle to all of it stored, s`,
    measured: recovery?.toFixed(1) ?? 'never',
    floor: '',
    ratio: '',
    reach: relief ? `≤ ${reach.seconds}` : 'never',
    reached: relief
      ? recovery !== undefined && recovery <= reach.seconds
      : recovery === undefined && shards === 1,
  };
}

function latencyOf(name: string, { relief, others }: Run, part: number): Finding {
  const [was, is] = [quantile(others.before, part), quantile(others.during, part)];
  const finding = {
    what: `${name}: p${part * 100} of others from publishing to durable, ms; floor: as much by ${spread} devices`,
    measured: String(is),
    floor: String(was),
    ratio: (is / was).toFixed(2),
    reach: '',
  };
  if (!relief || part !== 0.99) return finding;
  return { ...finding, reach: `≤ ${reach.ratio}`, reached: is <= was * reach.ratio };
}

function readBackOf(name: string, { relief, verdict }: Run): Finding {
  const { sent, missing, surplus } = verdict;
  const when = relief ? '' : ', once the limit was lifted';
  const wrong = missing + surplus === 0 ? '' : ` (${missing} missing, ${surplus} too many)`;
  return {
    what: `${name}: readings of all devices read back, once each${when}`,
    measured: `${sent - missing}${wrong}`,
    floor: String(sent),
    ratio: '',
    reach: 'all',
    reached: missing === 0 && surplus === 0,
  };
}

function parkedOf(name: string, { parked: { blocks, left } }: Run): Finding {
  return {
    what: `${name}: blocks parked meanwhile → left in the end`,
    measured: `${blocks} → ${left}`,
    floor: '',
    ratio: '',
    reach: '0 left',
    reached: left === 0,
  };
}
