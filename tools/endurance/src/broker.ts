import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker as startEmbedded, startProcess } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';
import { startMosquitto } from '@engawa/testing';
import type { Options } from './options.ts';

/** A broker that keeps its sessions over a restart. */
export interface RestartableBroker {
  url: string;
  mqttVersion: '5' | '3.1.1';
  /** Stops it gracefully; `up` starts it again. */
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

/** Its sessions do not survive a restart, so its connections are cut instead. */
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

/** With persistence, as docs/deploy.md requires. */
async function mosquitto(): Promise<RestartableBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-endurance-'));
  const settings = ['allow_anonymous true', 'persistence true', `persistence_location ${folder}/`];
  let running = await startMosquitto({ settings });
  const { url, port } = running;
  return {
    url,
    mqttVersion: '5',
    down: () => running.close(),
    async up() {
      running = await startMosquitto({ port, settings });
    },
    async close() {
      await running.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @throws OperatorError if the command fails */
async function run(command: string): Promise<void> {
  try {
    const environment = process.env;
    await startProcess({
      name: command,
      command: ['sh', '-c', command],
      environment,
      ready: 'exited',
    });
  } catch (error) {
    throw new OperatorError((error as Error).message, { cause: error });
  }
}
