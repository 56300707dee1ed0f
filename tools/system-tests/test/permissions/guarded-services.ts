import { Backends } from '../backends.ts';
import { seedTable, small } from '../costs/seed-table.ts';
import { seedCatalog } from '../costs/seed-catalog.ts';
import { askSuccessfully, RunningService, serviceNames } from '../running-service.ts';
import { startPolicyProxy } from './policy-proxy.ts';
import type { PolicyProxy } from './policy-proxy.ts';
import { grantsOf, readPolicy } from './policy.ts';
import type { Table } from '@engawa/table';
import type { StartedTable } from '@engawa/testing';
import type { MeteredServices } from '../costs/metered-services.ts';
import type { JsonRequest, ServiceName } from '../running-service.ts';
import type { JsonResponse } from '../json-response.ts';
import type { TableLocation } from './policy.ts';

/**
 * Restricts a service or task to its policy of the chart.
 * @param lacking an action that is removed from the policy
 */
export async function startGuard(
  name: string,
  { location }: Pick<StartedTable, 'location'>,
  lacking?: string,
): Promise<PolicyProxy> {
  const { region, tableName: table, endpoint: upstream } = location;
  const place: TableLocation = { region, account: '111122223333', table };
  const grants = [...grantsOf(readPolicy(name), place)].filter(
    (grant) => lacking === undefined || !grant.startsWith(`${lacking} `),
  );
  return startPolicyProxy({ upstream, place, role: `engawa-${name}`, grants: new Set(grants) });
}

/** All services over one seeded table, each with only the permissions of its own policy. */
export class GuardedServices {
  readonly size = small;
  readonly guards = new Map<string, PolicyProxy>();
  readonly #backends: Backends;
  readonly #services = new Map<ServiceName, RunningService>();

  static async start(): Promise<GuardedServices> {
    const services = new GuardedServices(await Backends.start());
    await seedTable(services.table, small);
    for (const name of serviceNames) await services.#open(name);
    const { metered } = services;
    await seedCatalog((path, request) => metered.ask('catalog', path, request), small);
    return services;
  }

  private constructor(backends: Backends) {
    this.#backends = backends;
  }

  get started(): StartedTable {
    return this.#backends.started;
  }

  /** The test's own client, which no policy restricts. */
  get table(): Table {
    return this.#backends.table;
  }

  get mqttUrl(): string {
    return this.#backends.broker.url;
  }

  urlOf(service: ServiceName): string {
    return this.#services.get(service)?.url ?? '';
  }

  /** For the access patterns, which use `ask` and `table`; costs are not counted here. */
  get metered(): MeteredServices {
    return this as unknown as MeteredServices;
  }

  /** @throws Error with the body of any other answer than 2xx: a request may have been denied */
  ask(service: ServiceName, path: string, request: JsonRequest = {}): Promise<JsonResponse> {
    return askSuccessfully(this.urlOf(service) + path, request);
  }

  async close(): Promise<void> {
    for (const service of [...this.#services.values()].toReversed()) await service.close();
    for (const name of this.#services.keys()) await this.guards.get(name)?.close();
    await this.#backends.close();
  }

  async #open(name: ServiceName): Promise<void> {
    const guard = await startGuard(name, this.started);
    this.guards.set(name, guard);
    const environment = {
      ...this.#backends.environment,
      DYNAMODB_ENDPOINT: guard.endpoint,
      LINGER_MS: '0',
      // A search that is added to a type is built while the test waits for it.
      TYPE_SETTLE_MS: '100',
      TASK_REFRESH_MS: '1000',
      // With it, ingestion reads the TTL of the table.
      RETENTION_DAYS: '3650',
    };
    this.#services.set(name, await RunningService.start(name, { environment }));
  }
}
