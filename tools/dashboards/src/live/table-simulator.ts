import { startProcess, workspace } from '@engawa/embedded';
import type { RunningProcess } from '@engawa/embedded';
import type { FaultInput, LimitsInput } from '@engawa/dynamodb-simulator';

/** The simulator that throttles as AWS does: a process, or its work would hold up what is measured. */
export class TableSimulator {
  readonly endpoint: string;
  readonly #process: RunningProcess;

  static async start(port: number, upstream: string): Promise<TableSimulator> {
    const endpoint = `http://127.0.0.1:${port}`;
    const script = 'tools/dynamodb-simulator/src/main.ts';
    const started = await startProcess({
      name: 'dynamodb-simulator',
      command: [process.execPath, script, '--upstream', upstream, '--port', String(port)],
      cwd: workspace,
      ready: { url: `${endpoint}/simulator` },
    });
    return new TableSimulator(endpoint, started);
  }

  private constructor(endpoint: string, running: RunningProcess) {
    this.endpoint = endpoint;
    this.#process = running;
  }

  setLimits(limits: LimitsInput): Promise<void> {
    return this.#put('limits', limits);
  }

  /** Replaces all faults. */
  setFaults(faults: readonly FaultInput[]): Promise<void> {
    return this.#put('faults', faults);
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  async #put(what: string, body: unknown): Promise<void> {
    const address = `${this.endpoint}/simulator/${what}`;
    const answer = await fetch(address, { method: 'PUT', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${address}: ${await answer.text()}`);
  }
}
