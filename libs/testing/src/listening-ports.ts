/**
 * A destination of a service's log that remembers where the service listens: asking for port 0 leaves
 * no race for a free one. Everything else in the log is dropped.
 */
export class ListeningPorts {
  readonly #ports = new Map<string, number>();

  write(line: string): void {
    const { msg, variable, port } = JSON.parse(line) as Record<string, unknown>;
    if (msg === 'listening') this.#ports.set(String(variable), Number(port));
  }

  /**
   * The address behind the port that this environment variable sets.
   * @throws Error when nothing listens there
   */
  url(variable: 'PORT' | 'METRICS_PORT'): string {
    const port = this.#ports.get(variable);
    if (port === undefined)
      throw new Error(`the service has not said that it listens: ${variable}`);
    return `http://127.0.0.1:${port}`;
  }
}
