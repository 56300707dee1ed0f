import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { findFreePort } from './free-ports.ts';
import { tiedToParent } from './tied-to-parent.ts';

/** Milliseconds until a start that does not answer is given up, and a stop becomes a kill. */
const startTimeout = 60_000;
const stopTimeout = 1_000;

/** Another process may take the free port that we found; then we look for the next. */
const freePortAttempts = 5;

export interface DynamoDb {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts the embedded DynamoDB API as a child process on loopback, and resolves when it answers.
 * `port` 0 or absent takes a free one; `dataFile` keeps the data (SQLite), else it is in memory. It
 * ends with this process, even when that is killed. Rejects with an OperatorError for a port in use
 * or a platform that there is no engine for.
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
  const line = [
    engine,
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    ...storage,
  ] as const;
  const { command, args } = tiedToParent('KILL', line);
  // A process group of its own: Ctrl-C is for us, and its end comes after that of its clients.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  child.once('exit', () => process.removeListener('exit', killWithUs));
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(child, endpoint);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { endpoint, close: () => stop(child) };
}

/** Ready is: it says that it listens (so that it is not another who answers), and it answers. */
async function waitUntilReady(child: ChildProcess, endpoint: string): Promise<void> {
  let output = '';
  let announced = false;
  const read = (text: string) => {
    if (!announced) output += text;
    announced ||= output.includes('listening on');
  };
  child.stdout?.setEncoding('utf8').on('data', read);
  child.stderr?.setEncoding('utf8').on('data', read);
  const failed = once(child, 'close').then(() => {
    if (output.includes('already in use')) {
      throw new PortInUse(`port ${new URL(endpoint).port} on 127.0.0.1 is already in use`);
    }
    throw new OperatorError(`the embedded DynamoDB did not start: ${output.trim() || 'no output'}`);
  });
  const answers = async () => {
    const deadline = Date.now() + startTimeout;
    while (Date.now() < deadline) {
      if (!isRunning(child)) await failed;
      if (announced && (await isAnswering(endpoint))) return;
      await delay(10);
    }
    throw new OperatorError(`the embedded DynamoDB at ${endpoint} does not answer`);
  };
  failed.catch(() => undefined); // it ends some day; by then nobody waits
  await Promise.race([failed, answers()]);
}

async function isAnswering(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint, { headers: { connection: 'close' } });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  await exited;
  clearTimeout(timer);
}
