/** The samples of one response of `/metrics`. */
export class Metrics {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  /** @param url of the service's probes and metrics */
  static async of(url: string): Promise<Metrics> {
    return new Metrics(await (await fetch(`${url}/metrics`)).text());
  }

  /** The sum of a metric's samples that have these labels; 0 if there are none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples(name, labels).reduce(
      (sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))),
      0,
    );
  }

  /** The lines of a metric's samples that have these labels. */
  samples(name: string, labels: Readonly<Record<string, string>> = {}): string[] {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.#lines
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => wanted.every((label) => line.includes(label)));
  }

  /** Microseconds of CPU that the process has used since it started. */
  get cpu(): number {
    const seconds =
      this.sum('process_cpu_user_seconds_total') + this.sum('process_cpu_system_seconds_total');
    return seconds * 1e6;
  }
}

/** The sum of a metric's samples that have these labels, from `/metrics`; 0 if there are none. */
export async function metricValue(
  metricsUrl: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  return (await Metrics.of(metricsUrl)).sum(name, labels);
}
