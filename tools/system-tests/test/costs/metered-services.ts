import { until } from '@engawa/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backends } from '../backends.ts';
import { askSuccessfully, RunningService, serviceNames } from '../running-service.ts';
import { costBetween, countedMetrics, readoutOf, total } from './cost.ts';
import { seedTable } from './seed-table.ts';
import { seedCatalog } from './seed-catalog.ts';
import type { Table } from '@engawa/table';
import type { Registry } from 'prom-client';
import type { JsonRequest, ServiceName } from '../running-service.ts';
import type { JsonResponse } from '../json-response.ts';
import type { Cost, Counts, Readout } from './cost.ts';
import type { Size } from './seed-table.ts';

export type { JsonRequest, ServiceName } from '../running-service.ts';
export type { JsonResponse } from '../json-response.ts';

/** All services over a table with data of a given size; counts their DynamoDB requests and units. */
export class MeteredServices {
  readonly size: Size;
  readonly #backends: Backends;
  readonly #services = new Map<ServiceName, RunningService>();
  /** Of all services: rendering the counted metrics alone is faster than all of `/metrics`. */
  readonly #registries: Registry[] = [];

  static async start(size: Size): Promise<MeteredServices> {
    const services = new MeteredServices(size, await Backends.start());
    try {
      await services.#seed();
      return services;
    } catch (error) {
      // Otherwise its clients would keep reconnecting during the next tests of this process.
      await services.close();
      throw error;
    }
  }

  private constructor(size: Size, backends: Backends) {
    this.size = size;
    this.#backends = backends;
  }

  /** The test's own client, whose requests are not counted. */
  get table(): Table {
    return this.#backends.table;
  }

  async #seed(): Promise<void> {
    // Before the services: ingestion reads the list of devices at its start.
    await seedTable(this.table, this.size);
    const environment = {
      ...this.#backends.environment,
      LINGER_MS: '0',
      // Background refreshes are not part of a request's price.
      TYPE_REFRESH_MS: '600000',
      FULL_TEXT_REFRESH_MS: '600000',
      TASK_REFRESH_MS: '600000',
      PURGE_REFRESH_MS: '600000',
    };
    for (const name of serviceNames) {
      // A clock that stands still: caches do not expire, also on a slow machine.
      const service = await RunningService.start(name, { environment, now: () => 0 });
      this.#services.set(name, service);
      this.#registries.push(await service.registry());
    }
    await seedCatalog((path, request) => this.ask('catalog', path, request), this.size);
  }

  /** @throws Error with the body of any other answer than 2xx */
  ask(service: ServiceName, path: string, request: JsonRequest = {}): Promise<JsonResponse> {
    return askSuccessfully(this.urlOf(service) + path, request);
  }

  /**
   * The cost of the action over all services.
   * @param expected requests to wait for, since some may follow the response
   */
  async costOf<Result>(
    expected: Counts,
    action: () => Promise<Result>,
  ): Promise<{ result: Result; cost: Cost }> {
    const before = await this.#settled();
    const result = await action();
    const cost = async () => costBetween(before, await this.#settled());
    let counted: Cost = { requests: {}, read: {}, written: {} };
    const isAll = async () => {
      counted = await cost();
      return total(counted.requests) >= total(expected);
    };
    const progress = () => total(counted.requests);
    // A missing request is reported by the comparison of counts.
    await until('all requests', isAll, { progress, stallMs: 20_000 }).catch(() => undefined);
    return { result, cost: counted };
  }

  async close(): Promise<void> {
    for (const service of [...this.#services.values()].toReversed()) await service.close();
    await this.#backends.close();
  }

  /** Waits until no request is in flight: two consecutive readouts are equal. */
  async #settled(): Promise<Readout> {
    for (let last = await this.#readout(); ;) {
      await sleep(15);
      // Queued behind the services' requests in flight, so that a busy machine waits longer.
      await this.table.get({ pk: 'nothing', sk: 'nothing' });
      const readout = await this.#readout();
      if ([...readout].every(([name, value]) => last.get(name) === value)) return readout;
      last = readout;
    }
  }

  async #readout(): Promise<Readout> {
    const texts = this.#registries.flatMap((registry) =>
      countedMetrics
        .filter((name) => registry.getSingleMetric(name) !== undefined)
        .map((name) => registry.getSingleMetricAsString(name)),
    );
    return readoutOf(await Promise.all(texts));
  }

  urlOf(name: ServiceName): string {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`${name} has not been started`);
    return service.url;
  }
}
