import { blockRange, devicePartition, earliestInstant, latestInstant } from '@engawa/keys';
import { median, quantile } from '../statistics.ts';
import { SerialClient } from './serial-client.ts';
import { latestFindings } from './latest-findings.ts';
import { deviceOf, singleBlocks } from './series.ts';
import type { AnswererMethods } from '../children/answerer.ts';
import type { ReaderMethods } from '../children/reader.ts';
import type { Finding, Print } from '../report.ts';
import type { Worker } from '../worker.ts';
import type { Cost, Turn } from './latest-findings.ts';
import type { QueryOptions } from './options.ts';
import type { QueryProcess } from './query-process.ts';
import type { QueryRig } from './rig.ts';

const device = 'latest';
const readings = 10_000;
const limit = 10;
const path = `/v1/devices/${device}/latest?limit=${limit}`;
/** The device and its newest readings. */
const question = {
  pk: devicePartition(device),
  from: blockRange(earliestInstant, latestInstant).from,
  descending: true,
  limit: limit + 1,
};
/** Uncounted requests before the measurement, until code is compiled and connections are open. */
const warmUp = 3000;

interface Sides {
  reader: Worker<ReaderMethods>;
  query: QueryProcess;
  http: { worker: Worker<AnswererMethods>; client: SerialClient };
}

/** Alternates the bare SDK's Query, the service's response, and a response without a table request. */
export async function measureLatest(
  rig: QueryRig,
  { requests, repetitions }: QueryOptions,
  print: Print,
): Promise<Finding[]> {
  const table = await rig.createTable('bench-latest');
  const series = { start: Date.UTC(2026, 0, 1), step: 60_000, count: readings };
  await table.items.store([deviceOf(device)]);
  await table.items.store(singleBlocks(device, series));
  const reader = await rig.startReader(table);
  const worker = await rig.startAnswerer();
  const client = new SerialClient(worker.ready.url);
  try {
    return await rig.withQuery(table, async (query) => {
      await worker.call('setBody', { body: await checked(query) });
      const turns: Turn[] = [];
      for (let turn = 0; turn <= repetitions; turn++) {
        const count = turn === 0 ? warmUp : requests;
        const costs = await takeTurns({ reader, query, http: { worker, client } }, count);
        const which = turn === 0 ? 'warm-up' : `${turn} of ${repetitions}`;
        print(`latest, ${which}: ${describe(costs)}`);
        if (turn > 0) turns.push(costs);
      }
      const what = `latest ${limit} of ${readings.toLocaleString('en')} readings`;
      return latestFindings(what, turns);
    });
  } finally {
    await client.close();
  }
}

/** The response, which has to contain as many readings as the baseline reads. */
async function checked(query: QueryProcess): Promise<string> {
  const { body } = await query.client.ask(path);
  const answer = JSON.parse(body) as { device: { id: string }; readings: unknown[] };
  if (answer.device.id !== device || answer.readings.length !== limit) {
    throw new Error(`not the latest ${limit} readings: ${body}`);
  }
  return body;
}

async function takeTurns({ reader, query, http }: Sides, count: number): Promise<Turn> {
  const read = await reader.call('read', { ...question, count });
  if (read.items !== question.limit) throw new Error(`the baseline read ${read.items} items`);
  const { used, result } = await query.measure(() => query.client.askOften(path, count));
  const before = await http.worker.call('cpu', {});
  const bare = await http.client.askOften('/', count);
  const after = await http.worker.call('cpu', {});
  return {
    baseline: { cpu: read.cpu / count, times: read.times },
    query: {
      cpu: used.cpu / count,
      times: result,
      requests: used.requests / count,
      units: used.readUnits / count,
    },
    http: { cpu: (after - before) / count, times: bare },
  };
}

function describe({ baseline, query, http }: Turn): string {
  const show = ({ cpu, times }: Cost) =>
    `${cpu.toFixed(0)} µs (p50 ${median(times).toFixed(2)}, p99 ${quantile(times, 0.99).toFixed(2)} ms)`;
  return `bare SDK ${show(baseline)}, query ${show(query)}, bare HTTP ${show(http)}`;
}
