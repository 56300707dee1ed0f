import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@engawa/testing';
import { defaultPorts } from '../src/addresses.ts';
import type { ChildProcess } from 'node:child_process';

/** `npm start`, or another script of this tool, as a process of its own, on free ports and with a data folder of its own. */
export class LocalProcess {
  readonly #process: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-local-'));
  readonly environment: Record<string, string>;
  output = '';

  static async start(
    overrides: Record<string, string> = {},
    args: string[] = [],
    script = 'main.ts',
  ): Promise<LocalProcess> {
    const ports: Record<string, string> = {};
    for (const variable of Object.keys(defaultPorts)) ports[variable] = String(await freePort());
    return new LocalProcess({ ...ports, ...overrides }, [script, ...args]);
  }

  private constructor(
    environment: Record<string, string>,
    [script = '', ...args]: readonly string[],
  ) {
    this.environment = environment;
    this.#process = spawn(process.execPath, [join(__dirname, '../src', script), ...args], {
      env: { PATH: process.env['PATH'], DATA_FOLDER: this.#folder, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = (chunk: Buffer) => (this.output += chunk.toString());
    this.#process.stdout?.on('data', read);
    this.#process.stderr?.on('data', read);
  }

  async said(text: string | RegExp): Promise<void> {
    const isSaid = () => {
      if (this.#process.exitCode !== null) throw new Error(`it ended, saying: ${this.output}`);
      return this.output.search(text) >= 0;
    };
    const progress = () => this.output.length;
    await until(`${String(text)} in the output`, isSaid, { progress });
  }

  /** The exit code. */
  async ended(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null> {
    if (this.#process.exitCode === null) {
      const closed = once(this.#process, 'close');
      if (signal !== undefined) this.#process.kill(signal);
      await closed;
    }
    rmSync(this.#folder, { recursive: true, force: true });
    return this.#process.exitCode;
  }
}
