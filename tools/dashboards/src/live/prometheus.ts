import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@engawa/embedded';
import type { RunningProcess } from '@engawa/embedded';

export interface Target {
  /** Host and port. */
  address: string;
  /** As a ServiceMonitor of the chart gives them. */
  labels: Readonly<Record<string, string>>;
}

export interface Series {
  metric: Record<string, string>;
  /** Epoch seconds, and the value as Prometheus writes it. */
  values: [number, string][];
}

export interface Span {
  /** Epoch seconds. */
  from: number;
  to: number;
  step: number;
}

export interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: 'pending' | 'firing';
}

interface ApiResponse<Data> {
  status: string;
  error?: string;
  data: Data;
}

export interface PrometheusOptions {
  port: number;
  targets: readonly Target[];
  /** Text of a rule file. */
  rules: string;
  /** Interval of scrapes, and of rules without one of their own, such as `1s`. */
  every: string;
}

/** A real Prometheus with a temporary folder. */
export class Prometheus {
  readonly #url: string;
  readonly #folder: string;
  readonly #process: RunningProcess;

  /** @throws Error with the message of Prometheus for an invalid rule file */
  static async start({ port, targets, rules, every }: PrometheusOptions): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-prometheus-'));
    writeFileSync(join(folder, 'rules.yaml'), rules);
    const configuration = {
      global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: every },
      rule_files: ['rules.yaml'],
      scrape_configs: targets.map(({ address, labels }, index) => ({
        job_name: `${labels['component'] ?? 'target'}-${index}`,
        static_configs: [{ targets: [address], labels }],
      })),
    };
    // JSON is YAML.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
    const url = `http://127.0.0.1:${port}`;
    const flags = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ];
    try {
      const started = await startProcess({
        name: 'prometheus',
        command: ['prometheus', ...flags],
        ready: { url: `${url}/-/ready` },
      });
      return new Prometheus(url, folder, started);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  private constructor(url: string, folder: string, running: RunningProcess) {
    this.#url = url;
    this.#folder = folder;
    this.#process = running;
  }

  /** @throws Error with the query and the message of Prometheus */
  async range(query: string, { from, to, step }: Span): Promise<Series[]> {
    const parameters = { query, start: String(from), end: String(to), step: String(step) };
    const { result } = await this.#ask<{ result: Series[] }>('query_range', parameters);
    return result;
  }

  /** At one moment. @param time epoch seconds */
  async instant(query: string, time: number): Promise<Series[]> {
    const { resultType, result } = await this.#ask<{ resultType: string; result: unknown }>(
      'query',
      { query, time: String(time) },
    );
    if (resultType === 'scalar') {
      return [{ metric: {}, values: [result as [number, string]] }];
    }
    const vector = result as { metric: Record<string, string>; value: [number, string] }[];
    return vector.map(({ metric, value }) => ({ metric, values: [value] }));
  }

  /** All values of a label in the matching series. */
  labelValues(label: string, match?: string): Promise<string[]> {
    return this.#ask(`label/${label}/values`, match === undefined ? {} : { 'match[]': match });
  }

  async alerts(): Promise<Alert[]> {
    return (await this.#ask<{ alerts: Alert[] }>('alerts', {})).alerts;
  }

  async close(): Promise<void> {
    await this.#process.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #ask<Data>(path: string, parameters: Record<string, string>): Promise<Data> {
    const answer = await fetch(
      `${this.#url}/api/v1/${path}?${String(new URLSearchParams(parameters))}`,
    );
    const { status, error, data } = (await answer.json()) as ApiResponse<Data>;
    if (status === 'success') return data;
    throw new Error(`${error ?? status}\n${JSON.stringify(parameters)}`);
  }
}
