import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathWithSbin } from './path-with-sbin.ts';
import { compiledCode } from './compiled-code.ts';
import { tiedToParent } from './tied-to-parent.ts';
import type { ChildProcess } from 'node:child_process';

const pollIntervalMs = 20;
/** Older output is dropped. */
const maxOutputLength = 1_000_000;
const defaultTimeoutMs = 300_000;
const closeGraceMs = 30_000;

export interface ProcessOptions {
  /** For error messages. */
  name: string;
  command: readonly [string, ...string[]];
  cwd?: string;
  /** The whole environment except PATH and compiled code: the user's own may name a real table or broker. */
  environment?: NodeJS.ProcessEnv;
  /** `inherit` shows the output as it comes; the default collects it in `output`. */
  stdio?: 'collect' | 'inherit';
  /** Called with each line of collected output. */
  onLine?: (line: string) => void;
  /** The signal that the process gets when this process dies, even by SIGKILL. */
  parentDeathSignal?: 'TERM' | 'KILL';
}

/** A response of 200, a port that accepts connections, a text in the output, or the exit code 0. */
export type Readiness = { url: string } | { port: number } | { output: string | RegExp } | 'exited';

/** A child process. It ends when this process dies, and Ctrl-C in the terminal does not reach it. */
export class RunningProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  /** Resolves at its end, all output read, to the exit code; to null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The collected end of standard output and standard error. */
  output = '';

  constructor(options: ProcessOptions) {
    const { name, cwd, environment = {}, stdio = 'collect', onLine } = options;
    const { command, args } = tiedToParent(options.parentDeathSignal ?? 'KILL', options.command);
    const kind = stdio === 'collect' ? 'pipe' : 'inherit';
    this.#name = name;
    this.#child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { PATH: pathWithSbin, ...compiledCode(), ...environment },
      detached: true,
      stdio: ['ignore', kind, kind],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-maxOutputLength);
      });
      if (stream && onLine) createInterface({ input: stream }).on('line', onLine);
    }
    this.#child.once('error', (error) => (this.output += error.message));
    this.exited = new Promise((resolve) => this.#child.once('close', resolve));
  }

  /** 0 if it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** @throws Error with the last output if the process ends first, or is not ready in time */
  async untilReady(readiness: Readiness, timeoutMs = defaultTimeoutMs): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await this.#isReady(readiness))) {
      if (!this.isRunning) {
        const code = await this.exited;
        if (await this.#isReady(readiness)) return;
        throw new Error(`${this.#name} ended with ${code} before it was ready: ${this.#tail}`);
      }
      if (performance.now() > deadline) {
        throw new Error(`${this.#name} is not ready after ${timeoutMs} ms: ${this.#tail}`);
      }
      await sleep(pollIntervalMs);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /**
   * Sends the signal and waits for the end; does nothing to a process that has ended.
   * @param graceMs milliseconds until SIGKILL; without it the wait is unlimited
   * @returns the exit code; null if a signal ended it
   */
  async end(signal: NodeJS.Signals = 'SIGTERM', graceMs?: number): Promise<number | null> {
    this.signal(signal);
    const timer =
      graceMs === undefined ? undefined : setTimeout(() => this.signal('SIGKILL'), graceMs);
    const code = await this.exited;
    clearTimeout(timer);
    return code;
  }

  /** SIGTERM, and after half a minute SIGKILL. */
  async close(): Promise<void> {
    await this.end('SIGTERM', closeGraceMs);
  }

  get #tail(): string {
    return this.output.slice(-2000).trim() || 'no output';
  }

  async #isReady(readiness: Readiness): Promise<boolean> {
    if (readiness === 'exited') return this.#child.exitCode === 0;
    if ('output' in readiness) return this.output.search(readiness.output) >= 0;
    // Otherwise another server on the same port could be mistaken for this one.
    if (!this.isRunning) return false;
    if ('port' in readiness) return isListening(readiness.port);
    const response = await fetch(readiness.url).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true;
  }
}

/** Starts a process and waits until it is ready; ends it if it does not become ready. */
export async function startProcess(
  options: ProcessOptions & { ready: Readiness; timeoutMs?: number },
): Promise<RunningProcess> {
  const started = new RunningProcess(options);
  try {
    await started.untilReady(options.ready, options.timeoutMs);
    return started;
  } catch (error) {
    await started.end('SIGKILL');
    throw error;
  }
}

async function isListening(port: number): Promise<boolean> {
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
