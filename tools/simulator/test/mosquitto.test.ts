import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publishBackfill } from '../src/index.ts';
import { oneHour } from '../src/physics/clock.ts';

const installed = !spawnSync('mosquitto', ['-h']).error;
const whereInstalled = installed ? describe : describe.skip;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

whereInstalled('with Mosquitto (left out where it is not installed)', () => {
  let folder: string;
  let url: string;
  let broker: ChildProcess;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engawa-'));
    const port = await freePort();
    const file = path.join(folder, 'mosquitto.conf');
    const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'max_inflight_messages 5'];
    await writeFile(file, lines.join('\n'));
    broker = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
    url = `mqtt://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    broker.kill();
    await once(broker, 'close');
    await rm(folder, { recursive: true });
  });

  it.each(['3.1.1', '5'] as const)('backfills over MQTT %s on one connection', async (version) => {
    const from = Date.parse('2025-01-20T06:00:00+09:00');
    let taken = 0;
    const lines: string[] = [];
    const result = await publishBackfill({
      url,
      version,
      from,
      to: from + oneHour,
      bundleMinutes: 1,
      onAcknowledged: () => (taken += 1),
      print: (line) => lines.push(line),
    });
    expect(result.messages).toBeGreaterThan(600);
    expect(taken).toBe(result.messages);
    // It may not be there yet at first; once it is, the connection holds.
    expect(lines.filter((line) => line.startsWith('connected'))).toEqual([`connected to ${url}`]);
  });
});
