import { resolveAddresses } from '@engawa/http';
import { version } from '@engawa/service';
import { serviceNames } from '../services.ts';
import { fetchAlerts } from './fetch-alerts.ts';
import { whyFailed } from './get-text.ts';
import { probeProcess } from './probe-process.ts';
import { total, UnitLedger } from './unit-ledger.ts';
import type { ResolveHost } from '@engawa/http';
import type { Config } from '../config.ts';
import type { ServiceName } from '../services.ts';
import type { Probed } from './probe-process.ts';
import type { ServiceStatus, StatusReport, Units, UnitsStatus } from './status-report.ts';

/** Counters are read at least this often. In milliseconds. */
const readEveryMs = 60_000;
/** A report is reused for this time, however many browsers ask. In milliseconds. */
const maxAgeMs = 2000;
/** Milliseconds for a service to answer. */
const timeoutMs = 4000;
/** Processes of a service that are asked. */
const maxProcesses = 200;

export interface StatusWatchOptions {
  config: Config;
  resolveHost: ResolveHost;
  /** Aborts when closing begins. */
  signal: AbortSignal;
  /** Epoch milliseconds. */
  clock?: () => number;
}

/** Asks all processes for readiness and metrics, and keeps the units that they consumed in the last hour. */
export class StatusWatch {
  readonly #options: StatusWatchOptions;
  readonly #clock: () => number;
  readonly #ledger: UnitLedger;
  readonly #startedAt: number;
  #report: { at: number; made: Promise<StatusReport> } | undefined;

  /** Reads the counters until the signal aborts. */
  constructor(options: StatusWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#startedAt = this.#clock();
    this.#ledger = new UnitLedger(this.#startedAt);
    const timer = setInterval(() => void this.report(), readEveryMs);
    timer.unref();
    options.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    void this.report();
  }

  /** The state of all services now, or some seconds ago. It does not reject. */
  report(): Promise<StatusReport> {
    const now = this.#clock();
    if (this.#report === undefined || Math.abs(now - this.#report.at) >= maxAgeMs) {
      this.#report = { at: now, made: this.#makeReport() };
    }
    return this.#report.made;
  }

  async #makeReport(): Promise<StatusReport> {
    const { config, signal: closing } = this.#options;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
    const [services, alerts] = await Promise.all([
      Promise.all(serviceNames.map((name) => this.#askService(name, signal))),
      fetchAlerts(config, signal),
    ]);
    const now = this.#clock();
    return {
      time: new Date(now).toISOString(),
      console: { version, startedAt: new Date(this.#startedAt).toISOString() },
      services,
      alerts,
      units: this.#units(now),
    };
  }

  async #askService(name: ServiceName, signal: AbortSignal): Promise<ServiceStatus> {
    const url = metricsUrl(this.#options.config, name);
    let addresses: string[];
    try {
      addresses = await resolveAddresses(url, this.#options.resolveHost, signal);
    } catch (error) {
      const host = new URL(url).hostname;
      return { name, processes: [], failure: `${host}: ${whyFailed(error, signal)}` };
    }
    const probed = await Promise.all(
      addresses.slice(0, maxProcesses).map((address) => probeProcess({ url, address, signal })),
    );
    for (const one of probed) this.#count(name, one);
    return { name, processes: probed.map(({ status }) => status) };
  }

  #count(service: string, { status: { address }, counters }: Probed): void {
    if (counters !== undefined) this.#ledger.add({ service, address, ...counters }, this.#clock());
  }

  #units(now: number): UnitsStatus {
    const { READ_UNIT_PRICE: read, WRITE_UNIT_PRICE: write, PRICE_SOURCE } = this.#options.config;
    const dollars = (units: Units): number => (units.read * read + units.write * write) / 1e6;
    const minutes = this.#ledger.minutes(now);
    const services = serviceNames.map((name) => {
      const sum = total(minutes.flatMap((minute) => minute.get(name) ?? []));
      return { name, total: sum, dollars: dollars(sum) };
    });
    const sum = total(services.map((service) => service.total));
    return {
      since: new Date(this.#ledger.since(now)).toISOString(),
      ...{ services, total: sum, dollars: dollars(sum) },
      minutes: minutes.map((minute) => total(minute.values())),
      price: { read, write, source: PRICE_SOURCE },
    };
  }
}

function metricsUrl(config: Config, name: ServiceName): string {
  const urls = {
    ingestion: config.INGESTION_METRICS_URL,
    registry: config.REGISTRY_METRICS_URL,
    query: config.QUERY_METRICS_URL,
    catalog: config.CATALOG_METRICS_URL,
  };
  return urls[name].replace(/\/+$/, '');
}
