/**
 * A log destination that records the ports on which a service listens. With port 0 there is no race for a
 * free port. All other log lines are dropped.
 */
export class ListeningPorts {
  readonly #ports = new Map<string, number>();

  write(line: string): void {
    const { msg, variable, port } = JSON.parse(line) as Record<string, unknown>;
    if (msg === 'listening') this.#ports.set(String(variable), Number(port));
  }

  /**
   * The URL of the port that this environment variable sets.
   * @throws Error if the service does not listen there
   */
  url(variable: 'PORT' | 'METRICS_PORT'): string {
    const port = this.#ports.get(variable);
    if (port === undefined) throw new Error(`the service does not listen on ${variable}`);
    return `http://127.0.0.1:${port}`;
  }
}
