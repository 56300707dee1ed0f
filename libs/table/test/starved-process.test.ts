import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { connect, metric, shortMs, until } from './table-fixture.ts';

/** A table in another thread, which responds while our thread is blocked. */
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
/** Number of received requests, and whether the table has responded. */
let shared: Int32Array;
let port: number;

beforeEach(async () => {
  shared = new Int32Array(new SharedArrayBuffer(8));
  worker = new Worker(otherThread, { eval: true, workerData: shared });
  [port] = (await once(worker, 'message')) as [number];
});
afterEach(() => worker.terminate());

it('reads a response that arrived in time, however long the process was blocked', async () => {
  const { table, registry } = connect('engawa', `http://127.0.0.1:${port}`, shortMs);
  const sent = table.get({ pk: 'a', sk: 'b' });
  await until(() => Atomics.load(shared, 0) === 1);
  // After an immediate, Node checks timers first, then sockets.
  await new Promise(setImmediate);
  Atomics.store(shared, 1, 1);
  Atomics.notify(shared, 1);
  // Our thread is blocked longer than the timeout of a request.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * shortMs);
  await sent;
  const attempts = (outcome: string) =>
    metric(registry, 'engawa_table_attempts_total', { outcome });
  expect([await attempts('ok'), await attempts('timeout')]).toEqual([1, 0]);
  table.close();
});
