import { contractOf, expectResponse } from '@engawa/http';
import { startService } from '@engawa/service';
import { ListeningPorts } from '@engawa/testing';
import * as module from '../src/start.ts';
import type { TestResponse } from './registry.ts';
import type { StartedTable } from './table.ts';

export interface ServiceOnTable {
  /** Where its API is. */
  api: string;
  ask(
    path: string,
    options?: { method?: string; body?: object; headers?: Record<string, string> },
  ): Promise<TestResponse>;
  close(): Promise<void>;
}

/** The service as it is started, over a table that outlives it. */
export async function startServiceOnTable(
  { environment }: StartedTable,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceOnTable> {
  const ports = new ListeningPorts();
  const service = await startService({
    name: 'registry',
    module,
    environment: { ...environment, PORT: '0', METRICS_PORT: '0', ...settings },
    logDestination: ports,
  });
  const api = ports.url('PORT');
  const contract = await contractOf(api);
  return {
    api,
    ask: async (path, { method = 'GET', body, headers = {} } = {}) => {
      const answer = await fetch(api + path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const checked = await expectResponse(contract, answer, method.toLowerCase());
      return { status: answer.status, headers: answer.headers, body: checked };
    },
    close: () => service.close(),
  };
}
