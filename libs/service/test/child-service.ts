import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiledCode } from '@engawa/testing';

export type LogLine = Record<string, unknown> & { level: string; msg: string };

/** A fixture service in a separate process, with its parsed log lines. */
export class ChildService {
  readonly lines: LogLine[] = [];
  readonly #child;
  readonly #exit: Promise<unknown[]>;
  readonly #arrivals = new EventTarget();
  #errors = '';

  constructor(fixture: string, environment: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures', fixture)], {
      env: { PATH: process.env['PATH'], ...compiledCode(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = once(this.#child, 'close');
    createInterface(this.#child.stdout).on('line', (line) => {
      this.lines.push(JSON.parse(line) as LogLine);
      this.#arrivals.dispatchEvent(new Event('line'));
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
  }

  /** The first line with this message, now or later; fails when the process ends without it. */
  async line(msg: string): Promise<LogLine> {
    const ended = this.#exit.then(() => 'ended');
    for (let news: unknown; ;) {
      const found = this.lines.find((line) => line.msg === msg);
      if (found !== undefined) return found;
      if (news === 'ended') {
        throw new Error(`ended without "${msg}": ${JSON.stringify(this.lines)} ${this.#errors}`);
      }
      news = await Promise.race([once(this.#arrivals, 'line'), ended]);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends a child that a failed test left running; does nothing to an ended one. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** The exit: `code` is null where a signal ended the process. */
  async exited(): Promise<{ code: number | null; errors: string; messages: string[] }> {
    const [code] = (await this.#exit) as [number | null];
    return { code, errors: this.#errors, messages: this.lines.map(({ msg }) => msg) };
  }
}
