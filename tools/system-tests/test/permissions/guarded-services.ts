import * as catalog from '@engawa/catalog';
import { startBroker } from '@engawa/embedded';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { ListeningPorts, startTable, until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { furnish, small } from '../costs/furnish.ts';
import { furnishCatalog } from '../costs/furnish-catalog.ts';
import { startPolicyProxy } from './policy-proxy.ts';
import type { PolicyProxy } from './policy-proxy.ts';
import { grantsOf, readPolicy } from './policy.ts';
import type { Table } from '@engawa/table';
import type { StartedTable } from '@engawa/testing';
import type { Answer, House, Request, ServiceName } from '../costs/house.ts';
import type { Place } from './policy.ts';

const modules = { ingestion, registry, query, catalog };

/** Holds a service or task to its policy of the chart. @param lacking an action that is taken out of it */
export async function startGuard(
  name: string,
  { location }: Pick<StartedTable, 'location'>,
  lacking?: string,
): Promise<PolicyProxy> {
  const { region, tableName: table, endpoint: upstream } = location;
  const place: Place = { region, account: '111122223333', table };
  const grants = [...grantsOf(readPolicy(name), place)].filter(
    (grant) => lacking === undefined || !grant.startsWith(`${lacking} `),
  );
  return startPolicyProxy({ upstream, place, role: `engawa-${name}`, grants: new Set(grants) });
}

/** All services as they are started, over one furnished table, each with no more than its own policy allows. */
export class GuardedServices {
  readonly size = small;
  /** The test's own way to the table, which no policy is in. */
  readonly table: Table;
  readonly started: StartedTable;
  readonly guards = new Map<string, PolicyProxy>();
  mqttUrl = '';
  readonly #urls = new Map<ServiceName, string>();
  readonly #closers: (() => unknown)[] = [];

  static async start(): Promise<GuardedServices> {
    const [started, broker] = await Promise.all([startTable(ensureTable), startBroker()]);
    const services = new GuardedServices(started);
    services.#closers.push(
      () => started.close(),
      () => broker.close(),
      () => services.table.close(),
    );
    services.mqttUrl = broker.url;
    await furnish(services.table, small);
    for (const name of Object.keys(modules) as ServiceName[]) await services.#open(name);
    await furnishCatalog(services.house, small);
    return services;
  }

  private constructor(started: StartedTable) {
    this.started = started;
    const log = pino({ enabled: false });
    const metrics = new TableMetrics(new Registry());
    this.table = connectTable({ ...started.location, metrics, log });
  }

  /** As the patterns of use want it, which ask, and look at the table, and no more: costs are not taken here. */
  get house(): House {
    return this as unknown as House;
  }

  /** @throws Error with the answer where that is a refusal: somebody may have been denied something */
  async ask(service: ServiceName, path: string, request: Request = {}): Promise<Answer> {
    const { method = 'GET', body } = request;
    const answer = await fetch(`${this.#urls.get(service)}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return {
      status: answer.status,
      body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
    };
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  async #open(name: ServiceName): Promise<void> {
    const guard = await startGuard(name, this.started);
    this.guards.set(name, guard);
    this.#closers.push(() => guard.close());
    const ports = new ListeningPorts();
    const service = await startService({
      name,
      module: modules[name],
      environment: this.#environment(guard),
      logDestination: ports,
    });
    this.#closers.push(() => service.close());
    this.#urls.set(name, ports.url('PORT'));
    await until(`a ready ${name}`, () => service.context.readiness.missing().length === 0);
  }

  #environment(guard: PolicyProxy): Record<string, string> {
    return {
      ...this.started.environment,
      DYNAMODB_ENDPOINT: guard.endpoint,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LINGER_MS: '0',
      MQTT_URL: this.mqttUrl,
      MQTT_VERSION: '3.1.1',
      SHUTDOWN_TIMEOUT_MS: '1000',
      // A search that is added to a type is built while the test waits for it.
      TYPE_SETTLE_MS: '100',
      TASK_REFRESH_MS: '1000',
    };
  }
}
