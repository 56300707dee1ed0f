import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { EngineUnavailable } from './engine-unavailable.ts';
import { findEngine } from './find-engine.ts';
import { findFreePort } from './free-ports.ts';
import { RunningProcess } from './running-process.ts';
import type { EngineOptions } from './find-engine.ts';

/** Timeout of a start without a response, and of a stop before SIGKILL. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 1_000;

/** Another process may take the free port first; then the next one is tried. */
const freePortAttempts = 5;

export interface DynamoDb {
  endpoint: string;
  close(): Promise<void>;
}

export interface DynamoDbOptions extends EngineOptions {
  /** 0 or absent selects a free one. */
  port?: number;
  /** Keeps the data (SQLite); otherwise the data is in memory. */
  dataFile?: string;
}

/**
 * Starts the embedded DynamoDB API as a child process on loopback, and resolves when it responds. On a platform that
 * the lock file does not have, the first call installs the engine (`findEngine`). The child ends with this process; on
 * Linux even after SIGKILL.
 * @throws OperatorError if the port is in use
 * @throws EngineUnavailable if the engine cannot be installed, or does not run on this machine
 */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<DynamoDb> {
  const engine = await findEngine(options);
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
    if (!(await canRun(engine))) {
      const reason = `the engine of the embedded DynamoDB API does not run on this machine: ${engine}`;
      throw new EngineUnavailable(`${reason}: ${running.output.trim()}`, { cause });
    }
    throw new OperatorError((cause as Error).message, { cause });
  }
  return { endpoint, close: () => running.end('SIGTERM', stopTimeoutMs).then(() => undefined) };
}

/** Whether the machine can execute the engine: it may be built for another processor or C library. */
async function canRun(engine: string): Promise<boolean> {
  const running = new RunningProcess({ name: 'engine', command: [engine, '--version'] });
  return (await running.exited) === 0;
}
