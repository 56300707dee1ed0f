import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningProcess, workspace } from '@engawa/embedded';
import { freePort } from '@engawa/testing';

/** The ports of the stack, by the variables of tools/local. */
const portVariables = [
  'CONSOLE_PORT',
  'MQTT_PORT',
  'DYNAMODB_PORT',
  ...['CONSOLE', 'INGESTION', 'REGISTRY', 'QUERY', 'CATALOG'].map((name) => `${name}_METRICS_PORT`),
  ...['INGESTION', 'REGISTRY', 'QUERY', 'CATALOG'].map((name) => `${name}_PORT`),
];

/** Milliseconds for the stack to be ready: on a loaded machine with a cold build. */
const startMs = 600_000;
/** Milliseconds for the stack to stop. */
const stopMs = 30_000;

export interface StackOptions {
  /** Whether there are simulated homes. */
  simulator: boolean;
  /** Settings of all services. */
  environment?: Record<string, string>;
}

export interface StartedStack {
  consoleUrl: string;
  mqttUrl: string;
  dynamoDbEndpoint: string;
  close: () => Promise<void>;
}

/** Starts the one-machine stack on free ports, with data of its own. */
export async function startStack({
  simulator,
  environment = {},
}: StackOptions): Promise<StartedStack> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-browser-'));
  const ports: Record<string, string> = {};
  for (const variable of portVariables) ports[variable] = String(await freePort());
  const script = join(workspace, 'tools/local/src/main.ts');
  const stack = new RunningProcess({
    name: 'npm start',
    command: [process.execPath, script, ...(simulator ? [] : ['--no-simulator'])],
    cwd: workspace,
    environment: { DATA_FOLDER: folder, ...ports, ...environment },
    parentDeathSignal: 'TERM',
  });
  const close = async (): Promise<void> => {
    await stack.end('SIGINT', stopMs);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await stack.untilReady({ output: 'Ctrl-C stops everything' }, startMs);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    consoleUrl: `http://127.0.0.1:${ports['CONSOLE_PORT']}`,
    mqttUrl: `mqtt://127.0.0.1:${ports['MQTT_PORT']}`,
    dynamoDbEndpoint: `http://127.0.0.1:${ports['DYNAMODB_PORT']}`,
    close,
  };
}
