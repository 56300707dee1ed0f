import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, startBroker as startEmbedded, tiedToParent } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';
import type { Options } from './options.ts';

/** A broker that can be restarted, and that keeps its sessions meanwhile. */
export interface RestartableBroker {
  url: string;
  mqttVersion: '5' | '3.1.1';
  /** Ends it gracefully; it stays away until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export async function startBroker({ broker, external }: Options): Promise<RestartableBroker> {
  if (broker === 'embedded') return embedded();
  if (broker === 'mosquitto') return mosquitto();
  if (external === undefined) throw new OperatorError('an external broker needs its commands');
  const { url, down, up } = external;
  await run(up);
  return {
    url,
    mqttVersion: '5',
    down: () => run(down),
    up: () => run(up),
    close: () => Promise.resolve(),
  };
}

/** Its sessions do not outlive it, so its clients lose their connections instead. */
async function embedded(): Promise<RestartableBroker> {
  const broker = await startEmbedded();
  return {
    url: broker.url,
    mqttVersion: '3.1.1',
    down: () => {
      broker.disconnectAll();
      return Promise.resolve();
    },
    up: () => Promise.resolve(),
    close: () => broker.close(),
  };
}

/** With persistence, as docs/deploy.md wants it. */
async function mosquitto(): Promise<RestartableBroker> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'engawa-endurance-'));
  const settings = [
    'user root', // as another user it could not write into the folder
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence true',
    `persistence_location ${folder}/`,
    'max_queued_messages 0',
  ];
  writeFileSync(join(folder, 'mosquitto.conf'), settings.join('\n'));
  let child = await startMosquitto(folder, port);
  const down = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  return {
    url: `mqtt://127.0.0.1:${port}`,
    mqttVersion: '5',
    down,
    async up() {
      child = await startMosquitto(folder, port);
    },
    async close() {
      await down();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startMosquitto(folder: string, port: number) {
  const { command, args } = tiedToParent('KILL', [
    'mosquitto',
    '-c',
    join(folder, 'mosquitto.conf'),
  ]);
  // Debian has it where only root looks.
  const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;
  const child = spawn(command, args, { env: { ...process.env, PATH }, stdio: 'ignore' });
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw new OperatorError('mosquitto cannot be started: is it installed?', { cause: error });
  });
  failed.catch(() => undefined);
  const listening = async () => {
    while (!(await listens(port))) {
      if (child.exitCode !== null) {
        throw new OperatorError(`mosquitto ended with ${child.exitCode} at its start`);
      }
      await sleep(20);
    }
  };
  await Promise.race([failed, listening()]);
  return child;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function run(command: string): Promise<void> {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new OperatorError(`'${command}' ended with ${String(code)}`);
}
