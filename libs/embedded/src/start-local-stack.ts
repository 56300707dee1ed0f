import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from './free-ports.ts';
import { RunningProcess } from './running-process.ts';
import { workspace } from './service-process.ts';

const serviceNames = ['ingestion', 'registry', 'query', 'catalog'] as const;
type ServiceName = (typeof serviceNames)[number];

const portOf = (name: ServiceName): string => `${name.toUpperCase()}_PORT`;

/** The variables of tools/local that select ports. */
export const localPortVariables = [
  'CONSOLE_PORT',
  'MQTT_PORT',
  'DYNAMODB_PORT',
  ...['CONSOLE', 'INGESTION', 'REGISTRY', 'QUERY', 'CATALOG'].map((name) => `${name}_METRICS_PORT`),
  ...serviceNames.map(portOf),
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
  serviceUrls: Record<ServiceName, string>;
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
  const url = (variable: string): string => `http://127.0.0.1:${ports[variable]}`;
  return {
    consoleUrl: url('CONSOLE_PORT'),
    serviceUrls: {
      ingestion: url(portOf('ingestion')),
      registry: url(portOf('registry')),
      query: url(portOf('query')),
      catalog: url(portOf('catalog')),
    },
    mqttUrl: url('MQTT_PORT').replace('http', 'mqtt'),
    dynamoDbEndpoint: url('DYNAMODB_PORT'),
    consoleMetricsUrl: url('CONSOLE_METRICS_PORT'),
    close,
  };
}
