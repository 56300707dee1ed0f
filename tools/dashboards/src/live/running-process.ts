import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tiedToParent } from '@engawa/embedded';
import type { ChildProcess } from 'node:child_process';

export const workspace = resolve(fileURLToPath(import.meta.url), '../../../../..');

/** Timeouts in milliseconds: until ready, and from SIGTERM to SIGKILL. */
const patience = 60_000;
const grace = 4000;

export interface RunningProcessOptions {
  name: string;
  command: readonly [string, ...string[]];
  environment?: Record<string, string>;
  /** How it is seen to be ready: by an address that answers with 200, by what it writes, or by its having ended well. */
  ready: { url: string } | { output: string } | 'ended';
}

/** A process of the live stack. It ends when we do, even if we are killed. */
export class RunningProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  /** The end of its output, for error messages. */
  #lastWords = '';

  /** Resolves when it is ready. */
  static async start(options: RunningProcessOptions): Promise<RunningProcess> {
    const started = new RunningProcess(options);
    try {
      await started.#untilReady(options.ready);
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  private constructor({ name, command, environment = {} }: RunningProcessOptions) {
    this.#name = name;
    const line = tiedToParent('KILL', command);
    this.#child = spawn(line.command, line.args, {
      cwd: workspace,
      // Not the user's environment: it may name a real table or broker.
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#lastWords = (this.#lastWords + text).slice(-2000);
      });
    }
    this.#child.once('error', (error) => (this.#lastWords += error.message));
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), grace);
    await gone;
    clearTimeout(timer);
  }

  get #hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  async #untilReady(ready: RunningProcessOptions['ready']): Promise<void> {
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      if (await this.#isReady(ready)) return;
      if (this.#hasEnded) break;
      await sleep(50);
    }
    throw new Error(`${this.#name} is not ready; its last words: ${this.#lastWords}`);
  }

  async #isReady(ready: RunningProcessOptions['ready']): Promise<boolean> {
    if (ready === 'ended') return this.#child.exitCode === 0;
    if (this.#hasEnded) return false;
    if ('output' in ready) return this.#lastWords.includes(ready.output);
    const answer = await fetch(ready.url).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.ok === true;
  }
}
