import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, localPortVariables, RunningProcess } from '@engawa/embedded';
import { until } from '@engawa/testing';

/** `npm start` as a process, on free ports and with a data folder of its own. */
export class LocalProcess {
  readonly #process: RunningProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-local-'));
  readonly environment: Record<string, string>;

  static async start(
    overrides: Record<string, string> = {},
    args: string[] = [],
  ): Promise<LocalProcess> {
    const numbers = await findFreePorts(localPortVariables.length);
    const ports = Object.fromEntries(
      localPortVariables.map((variable, at) => [variable, String(numbers[at])]),
    );
    return new LocalProcess({ ...ports, ...overrides }, args);
  }

  private constructor(environment: Record<string, string>, args: string[]) {
    this.environment = environment;
    this.#process = new RunningProcess({
      name: 'npm start',
      command: [process.execPath, join(__dirname, '../src/main.ts'), ...args],
      environment: { DATA_FOLDER: this.#folder, ...environment },
      parentDeathSignal: 'TERM',
    });
  }

  get output(): string {
    return this.#process.output;
  }

  /** Resolves when the text is in the output. */
  async printed(text: string | RegExp): Promise<void> {
    const isPrinted = () => {
      if (this.output.search(text) >= 0) return true;
      if (!this.#process.isRunning) throw new Error(`it ended with the output: ${this.output}`);
      return false;
    };
    const progress = () => this.output.length;
    await until(`${String(text)} in the output`, isPrinted, { progress });
  }

  /** The exit code. */
  async ended(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null> {
    if (signal !== undefined) this.#process.signal(signal);
    const code = await this.#process.exited;
    rmSync(this.#folder, { recursive: true, force: true });
    return code;
  }
}
