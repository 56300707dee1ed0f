import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { findFreePort } from './free-ports.ts';
import { RunningProcess } from './running-process.ts';

/** Timeout of a start without a response, and of a stop before SIGKILL. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 1_000;

/** Another process may take the free port first; then the next one is tried. */
const freePortAttempts = 5;

export interface DynamoDb {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts the embedded DynamoDB API as a child process on loopback, and resolves when it responds. `port` 0 or absent
 * selects a free one; `dataFile` keeps the data (SQLite), otherwise the data is in memory. The child ends with this
 * process, even after SIGKILL. Rejects with an OperatorError if the port is in use, or if there is no engine for the
 * platform.
 */
export async function startDynamoDb(
  options: { port?: number; dataFile?: string } = {},
): Promise<DynamoDb> {
  const engine = findEngine();
  if (options.dataFile !== undefined) mkdirSync(dirname(options.dataFile), { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port === undefined || options.port === 0 ? undefined : options.port;
    try {
      return await startEngine(engine, port ?? (await findFreePort()), options.dataFile);
    } catch (error) {
      if (port !== undefined || attempt === freePortAttempts || !(error instanceof PortInUse)) {
        throw error;
      }
    }
  }
}

class PortInUse extends OperatorError {}

function findEngine(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve(`@dynoxide/${platform}/package.json`)), 'dynoxide');
  } catch (cause) {
    throw new OperatorError(
      `there is no embedded DynamoDB for ${platform}: set DYNAMODB_ENDPOINT to the URL of DynamoDB ` +
        'Local, of Alternator or of AWS (https://dynamodb.<region>.amazonaws.com)',
      { cause },
    );
  }
}

async function startEngine(engine: string, port: number, dataFile?: string): Promise<DynamoDb> {
  const storage = dataFile === undefined ? [] : ['--db-path', dataFile];
  const running = new RunningProcess({
    name: 'the embedded DynamoDB',
    command: [engine, 'serve', '--host', '127.0.0.1', '--port', String(port), ...storage],
  });
  const kill = () => running.signal('SIGKILL');
  process.once('exit', kill);
  void running.exited.then(() => process.removeListener('exit', kill));
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    // The engine's own announcement first: another server may respond at this port.
    await running.untilReady({ output: 'listening on' }, startTimeoutMs);
    await running.untilReady({ port }, startTimeoutMs);
  } catch (cause) {
    await running.end('SIGKILL');
    if (running.output.includes('already in use')) {
      throw new PortInUse(`port ${port} on 127.0.0.1 is already in use`, { cause });
    }
    throw new OperatorError((cause as Error).message, { cause });
  }
  return { endpoint, close: () => running.end('SIGTERM', stopTimeoutMs).then(() => undefined) };
}
