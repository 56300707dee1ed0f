import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { connect, metric, timeoutMs, until } from './table-fixture.ts';

/** A table in a thread of its own, which gives its answers while our thread is stopped. */
const otherThread = `
  const { createServer } = require('node:http');
  const { parentPort, workerData: shared } = require('node:worker_threads');
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      Atomics.add(shared, 0, 1);
      Atomics.wait(shared, 1, 0);
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let worker: Worker;
/** How many requests have arrived, and whether they are answered yet. */
let shared: Int32Array;
let port: number;

beforeEach(async () => {
  shared = new Int32Array(new SharedArrayBuffer(8));
  worker = new Worker(otherThread, { eval: true, workerData: shared });
  [port] = (await once(worker, 'message')) as [number];
});
afterEach(() => worker.terminate());

it('reads an answer that came in time, however long the process did not run', async () => {
  const { table, registry } = connect('engawa', `http://127.0.0.1:${port}`);
  const sent = table.get({ pk: 'a', sk: 'b' });
  await until(() => Atomics.load(shared, 0) === 1);
  // From an immediate the timers are looked at first, and sockets after that.
  await new Promise(setImmediate);
  Atomics.store(shared, 1, 1);
  Atomics.notify(shared, 1);
  // Our thread stops for longer than a request may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeoutMs);
  await sent;
  const attempts = (outcome: string) =>
    metric(registry, 'engawa_table_attempts_total', { outcome });
  expect([await attempts('ok'), await attempts('timeout')]).toEqual([1, 0]);
  table.close();
});
