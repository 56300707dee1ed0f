import { setTimeout as sleep } from 'node:timers/promises';
import { blockItem, deviceItem } from '@engawa/model';
import { aDevice, aReading, until } from '@engawa/testing';
import { SharedBackends } from '../faults/shared-backends.ts';
import { startServiceProcess } from '../service-process.ts';
import type { ServiceProcess } from '../service-process.ts';

const path = '/v1/devices/climate-1/readings?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z';

let backends: SharedBackends;
const replicas: ServiceProcess[] = [];
beforeAll(async () => {
  backends = await SharedBackends.open();
  const device = aDevice();
  await backends.table.put(deviceItem(device, { list: 1, seen: 1 }));
  await backends.table.put(blockItem({ device: device.id, readings: [aReading()] }));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
  await backends.close();
});

/** Milliseconds: much longer than 100 responses take, also on a busy machine. */
const drainMs = 20_000;

async function startReplica(drain: number): Promise<ServiceProcess> {
  const replica = await startServiceProcess('query', {
    TABLE_NAME: backends.table.tableName,
    DYNAMODB_ENDPOINT: backends.simulator.endpoint,
    DYNAMODB_TIMEOUT_MS: '10000',
    SHUTDOWN_DRAIN_MS: String(drain),
    CURSOR_SECRET: 'the same for all of this ground, and long',
  });
  replicas.push(replica);
  return replica;
}

/** Sends requests over persistent connections to the replicas that a Kubernetes Service would select. */
class Client {
  readonly endpoints = new Set<ServiceProcess>();
  readonly failures: string[] = [];
  answered = 0;
  #stopped = false;
  readonly #workers: Promise<void>[] = [];

  start(workers: number): void {
    for (let worker = 0; worker < workers; worker++) this.#workers.push(this.#work(worker));
  }

  async answers(count: number): Promise<void> {
    const enough = this.answered + count;
    const progress = () => this.answered;
    await until('more answers', () => progress() >= enough, { progress });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
  }

  async #work(turn: number): Promise<void> {
    for (let next = turn; !this.#stopped; next++) {
      const endpoints = [...this.endpoints];
      const { url = '' } = endpoints[next % endpoints.length] ?? {};
      const failure = await ask(url);
      if (failure === undefined) this.answered += 1;
      else this.failures.push(failure);
      await sleep(5);
    }
  }
}

/** @returns the problem of a response; undefined for a correct one */
async function ask(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url + path);
    const { items } = (await answer.json()) as { items?: unknown[] };
    return answer.status === 200 && items?.length === 1 ? undefined : String(answer.status);
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? String(error);
  }
}

const readinessOf = async (replica: ServiceProcess) =>
  (await fetch(`${replica.metricsUrl}/readyz`)).status;

it('no request fails while replicas under constant load are replaced', async () => {
  const client = new Client();
  for (const replica of await Promise.all([startReplica(drainMs), startReplica(drainMs)]))
    client.endpoints.add(replica);
  client.start(8);
  for (const replica of [...client.endpoints]) {
    await client.answers(100);
    const fresh = await startReplica(drainMs);
    client.endpoints.add(fresh);
    await client.answers(100);
    const ended = replica.end('SIGTERM');
    await until('unready', async () => (await readinessOf(replica)) === 503);
    // Nodes learn of it one after the other: until then it receives and answers requests over new
    // and existing connections.
    await client.answers(100);
    client.endpoints.delete(replica);
    await client.answers(100);
    expect(await ended).toBe(0);
  }
  await client.answers(100);
  await client.stop();
  process.stdout.write(`upgrade of query: ${client.answered} answers while two were replaced\n`);
  expect(client.failures).toEqual([]);
});

it('a replica without time to drain completes its requests, is unready, and accepts no new ones', async () => {
  const replica = await startReplica(0);
  backends.simulator.setFaults([{ operations: ['Query'], fault: { kind: 'hang' } }]);
  let answered = false;
  const running = ask(replica.url).finally(() => (answered = true));
  await until(
    'the request to be under way',
    () => (backends.simulator.counters.read().faults['hang'] ?? 0) > 0,
  );
  const ended = replica.end('SIGTERM');
  await until('unready', async () => (await readinessOf(replica)) === 503);
  expect(await ask(replica.url)).toBe('ECONNREFUSED');
  expect(answered).toBe(false);
  backends.simulator.setFaults([]);
  expect(await running).toBeUndefined();
  expect(await ended).toBe(0);
});
