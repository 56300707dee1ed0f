import { contractOf, expectResponse } from '@engawa/http';
import { deviceItem } from '@engawa/model';
import { startService } from '@engawa/service';
import { ListeningPorts, requestsDuring } from '@engawa/testing';
import * as module from '../src/start.ts';
import { startTable } from './table.ts';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';

export interface TestResponse {
  status: number;
  headers: Headers;
  /** Checked against the contract that the service publishes. */
  body: unknown;
}

/** The service as it is started, on free ports, over an empty table of the embedded engine. */
export interface Registry {
  /** The test's own way to the table, past the service. */
  table: Table;
  /** Of the API. */
  url: string;
  /** A body that is a text is sent as it is. */
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<TestResponse>;
  put(...devices: Device[]): Promise<void>;
  /** DynamoDB requests that the action made, by operation, as the service's metrics count them. */
  costOf(action: () => Promise<unknown>): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export async function startRegistry(environment: Record<string, string> = {}): Promise<Registry> {
  const started = await startTable();
  const ports = new ListeningPorts();
  const service = await startService({
    name: 'registry',
    module,
    environment: { ...started.environment, PORT: '0', METRICS_PORT: '0', ...environment },
    logDestination: ports,
  });
  const api = ports.url('PORT');
  const metrics = ports.url('METRICS_PORT');
  const contract = await contractOf(api);
  return {
    table: started.table,
    url: api,
    ask: async (path, { method = 'GET', headers = {}, body } = {}) => {
      const answer = await fetch(api + path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const checked = await expectResponse(contract, answer, method.toLowerCase());
      return { status: answer.status, headers: answer.headers, body: checked };
    },
    put: async (...devices) => {
      const shards = { list: 1, seen: 1 };
      await Promise.all(devices.map((device) => started.table.put(deviceItem(device, shards))));
    },
    costOf: (action) => requestsDuring(metrics, action),
    close: async () => {
      await service.close();
      await started.close();
    },
  };
}
