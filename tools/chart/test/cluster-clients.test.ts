import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import type { AddressInfo } from 'node:net';
import { clientsScript } from '../src/cluster/clients.ts';
import type { ClientCount, Target } from '../src/cluster/clients.ts';

/** Runs the script until its counts satisfy `isEnough`. */
async function countsOf(
  targets: Target[],
  isEnough: (counts: ClientCount[]) => boolean,
): Promise<ClientCount[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', clientsScript], {
    env: { ...process.env, TARGETS: JSON.stringify(targets) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let counts: ClientCount[] = [];
  for await (const line of createInterface(child.stdout)) {
    counts = JSON.parse(line) as ClientCount[];
    if (isEnough(counts)) child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
  return counts;
}

it('clients count responses, refused connections and resets', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/reset') request.socket.resetAndDestroy();
    else if (request.url === '/refused') response.writeHead(503).end();
    else
      request
        .setEncoding('utf8')
        .on('data', (chunk: string) => bodies.push(chunk))
        .on('end', () => response.end('ok'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const targets = ['good', 'reset', 'refused'].map((name, index) => ({
    name,
    method: index === 0 ? ('POST' as const) : ('GET' as const),
    url: `${base}/${name}`,
    kept: true,
  }));
  const counts = await countsOf(targets, ([good, reset, refused]) =>
    [good?.answered, reset?.failed, refused?.failed].every((count = 0) => count > 2),
  ).finally(() => server.close());
  const [good, reset, refused] = counts;
  expect(good).toMatchObject({ name: 'good', failed: 0, failures: [] });
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ device: 'cluster-client', value: 1 });
  expect(reset).toMatchObject({ name: 'reset', answered: 0 });
  expect(reset?.failures[0]).toMatch(/ECONNRESET$/);
  expect(refused).toMatchObject({ name: 'refused', answered: 0 });
  expect(refused?.failures[0]).toMatch(/ 503$/);
});
