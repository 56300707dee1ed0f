import { contractOf, expectResponse } from '@engawa/http';
import { startService } from '@engawa/service';
import { ListeningPorts, metricValue, until } from '@engawa/testing';
import * as module from '../../src/start.ts';
import type { TestResponse } from '../catalog.ts';
import type { StartedTable } from '../table.ts';

export interface Hit {
  type: string;
  id: string;
  score: number;
  entity?: unknown;
}

export interface SearchResponse {
  items: Hit[];
  asOf: string;
  staleMs: number;
}

/** A service with a shared table. */
export interface Replica {
  ask(path: string, options?: { method?: string; body?: object }): Promise<TestResponse>;
  /** The response of a search that must succeed. */
  search(parameters: Record<string, string>): Promise<SearchResponse>;
  /** The ids of the hits, sorted. */
  found(q: string): Promise<string[]>;
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  /** All log lines of the service. */
  logged: string[];
  close(): Promise<void>;
}

/** So short that tests need not wait, and so long that polls are not the most of their work. */
const polls = { TYPE_REFRESH_MS: '100', FULL_TEXT_REFRESH_MS: '50' };

/** Resolves when the service listens; its table may still be missing. */
export async function startReplica(
  started: StartedTable,
  environment: Record<string, string> = {},
): Promise<Replica> {
  const ports = new ListeningPorts();
  const logged: string[] = [];
  const service = startService({
    name: 'catalog',
    module,
    environment: { ...started.environment, PORT: '0', METRICS_PORT: '0', ...polls, ...environment },
    logDestination: {
      write: (line: string) => {
        logged.push(line);
        ports.write(line);
      },
    },
  });
  const api = await Promise.race([until('the service to listen', () => address(ports)), service]);
  if (typeof api !== 'string') throw new Error('it is started and does not listen');
  const contract = await contractOf(api);
  const ask: Replica['ask'] = async (path, { method = 'GET', body } = {}) => {
    const answer = await fetch(api + path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' } }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const checked = await expectResponse(contract, answer, method.toLowerCase());
    return { status: answer.status, headers: answer.headers, body: checked };
  };
  const search = async (parameters: Record<string, string>) => {
    const { status, body } = await ask(`/v1/search?${new URLSearchParams(parameters).toString()}`);
    if (status !== 200) throw new Error(`no answer: ${JSON.stringify(body)}`);
    return body as SearchResponse;
  };
  return {
    ask,
    search,
    found: async (q) => (await search({ q, limit: '100' })).items.map(({ id }) => id).sort(),
    metric: (name, labels) => metricValue(ports.url('METRICS_PORT'), name, labels),
    logged,
    close: async () => (await service).close(),
  };
}

function address(ports: ListeningPorts): string | undefined {
  try {
    return ports.url('PORT');
  } catch {
    return undefined;
  }
}

/** Resolves when the index is built. */
export async function untilLoaded(replica: Replica): Promise<void> {
  await until(
    'the index to be made',
    async () => (await replica.ask('/v1/search?q=x')).status === 200,
  );
}

export async function untilFound(replica: Replica, q: string, ids: string[]): Promise<void> {
  const wanted = ids.toSorted().join();
  const search = new URLSearchParams({ q, limit: '100' }).toString();
  await until(`${q} to be found in ${wanted}`, async () => {
    // The response is 503 while the index is built.
    const isMade = (await replica.ask(`/v1/search?${search}`)).status !== 503;
    return isMade && (await replica.found(q)).join() === wanted;
  });
}
