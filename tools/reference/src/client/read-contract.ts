import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Contract } from './client-sources.ts';

const apps = resolve(import.meta.dirname, '../../../../apps');

/** Nothing listens there: a service tells its contract before it has its table and its broker. */
const nowhere = '127.0.0.1:1';

const environment = {
  PATH: process.env['PATH'],
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  DYNAMODB_ENDPOINT: `http://${nowhere}`,
  MQTT_URL: `mqtt://${nowhere}`,
};

/**
 * The OpenAPI document of a service, which is started for it.
 * @throws Error where the service ends before it listens
 */
export async function readContract(service: string): Promise<Contract> {
  const child = spawn(process.execPath, [join(apps, service, 'src/main.ts')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const answer = await fetch(`${await addressOf(service, child.stdout)}/openapi.json`);
    return (await answer.json()) as Contract;
  } finally {
    child.kill('SIGKILL');
  }
}

/** From its log. */
async function addressOf(service: string, log: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: log })) {
    const { variable, port } = JSON.parse(line) as { variable?: string; port?: number };
    if (variable === 'PORT' && port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error(`${service} ended before it listened`);
}
