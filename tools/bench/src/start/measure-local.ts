import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts, localPortVariables, RunningProcess, workspace } from '@engawa/embedded';
import { median, spread } from '../statistics.ts';
import type { Finding, Print } from '../report.ts';
import type { StartOptions } from './options.ts';

/** Milliseconds of the longest start. */
const timeoutMs = 120_000;
/** Seconds from the command to the summary, which is printed when all example requests are answered with data. */
const targetSeconds = 5;

/** Seconds by wall clock from the command. */
interface LocalStart {
  /** Until the query service answers a request with a reading. */
  answered: number;
  /** Until the summary is printed. */
  summary: number;
}

/**
 * `npm start` with simulated homes and an empty data folder. The first start fills the compile cache and is not
 * counted.
 */
export async function measureLocal(
  { repetitions }: StartOptions,
  print: Print,
): Promise<Finding[]> {
  const starts: LocalStart[] = [];
  for (let turn = 0; turn <= repetitions; turn++) {
    const start = await startOnce();
    const which = turn === 0 ? 'warm-up' : `${turn} of ${repetitions}`;
    print(`npm start, ${which}: answered after ${start.answered.toFixed(1)} s`);
    if (turn > 0) starts.push(start);
  }
  const answered = starts.map((start) => start.answered);
  const summary = starts.map((start) => start.summary);
  const plain = { baseline: '', ratio: '' };
  return [
    {
      what: 'npm start to the first answer with a reading, s by wall clock',
      ...{ measured: spread(answered, 1), ...plain, target: '' },
    },
    {
      what: 'npm start to the summary, s by wall clock',
      ...{ measured: spread(summary, 1), ...plain, target: `≤ ${targetSeconds}` },
      reached: median(summary) <= targetSeconds,
    },
  ];
}

async function startOnce(): Promise<LocalStart> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-bench-'));
  const ports = await findFreePorts(localPortVariables.length);
  const environment = Object.fromEntries(
    localPortVariables.map((name, index) => [name, String(ports[index])]),
  );
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const started = new RunningProcess({
    name: 'npm start',
    command: ['npm', 'start'],
    cwd: workspace,
    environment: { ...environment, DATA_FOLDER: folder },
    parentDeathSignal: 'TERM',
  });
  try {
    let summary = NaN;
    const printed = started
      .untilReady({ output: 'Engawa is running.' }, timeoutMs)
      .then(() => (summary = seconds()));
    const url = `http://127.0.0.1:${environment['QUERY_PORT']}/v1/devices/meter-tanaka/latest`;
    const signal = AbortSignal.timeout(timeoutMs);
    while (!(await isAnswered(url))) await sleep(20, undefined, { signal });
    const answered = seconds();
    await printed;
    return { answered, summary };
  } finally {
    await started.close();
    rmSync(folder, { recursive: true });
  }
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const { readings } = (await (await fetch(url)).json()) as { readings?: unknown[] };
    return (readings?.length ?? 0) > 0;
  } catch {
    return false;
  }
}
