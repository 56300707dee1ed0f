import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from './free-ports.ts';
import { RunningProcess } from './running-process.ts';
import { workspace } from './service-process.ts';

/** The variables of tools/local that select ports. */
export const localPortVariables = [
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

export interface LocalStackOptions {
  /** Whether there are simulated homes. */
  simulator: boolean;
  /** Settings of all services. */
  environment?: Record<string, string>;
}

export interface LocalStack {
  consoleUrl: string;
  mqttUrl: string;
  dynamoDbEndpoint: string;
  /** Of the console's process. */
  consoleMetricsUrl: string;
  close: () => Promise<void>;
}

/** Starts the one-machine stack, as `npm start` does, on free ports and with data of its own. */
export async function startLocalStack({
  simulator,
  environment = {},
}: LocalStackOptions): Promise<LocalStack> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-local-'));
  const numbers = await findFreePorts(localPortVariables.length);
  const ports = Object.fromEntries(
    localPortVariables.map((name, at) => [name, String(numbers[at])]),
  );
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
    consoleMetricsUrl: `http://127.0.0.1:${ports['CONSOLE_METRICS_PORT']}`,
    close,
  };
}
