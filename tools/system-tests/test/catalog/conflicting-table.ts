import * as catalog from '@engawa/catalog';
import { Simulator } from '@engawa/dynamodb-simulator';
import { startService } from '@engawa/service';
import { ensureTable } from '@engawa/table';
import { ListeningPorts, startTable } from '@engawa/testing';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export type Ask = (path: string, request?: { method?: string; body?: unknown }) => Promise<Answer>;

/** Replicas of the catalog over a table whose transactions take their time, as those of DynamoDB do. */
export interface ConflictingTable {
  simulator: Simulator;
  replicas: Ask[];
  close: () => Promise<void>;
}

export async function startConflictingTable(replicas: number): Promise<ConflictingTable> {
  const started = await startTable(ensureTable);
  // Milliseconds: transactions of a few items take 4 to 20.
  const conflicts = { from: 4, to: 20 };
  const simulator = await Simulator.start({ upstream: started.location.endpoint, conflicts });
  const environment = { ...started.environment, DYNAMODB_ENDPOINT: simulator.endpoint };
  const running = await Promise.all(
    Array.from({ length: replicas }, () => startReplica(environment)),
  );
  return {
    simulator,
    replicas: running.map(({ ask }) => ask),
    close: async () => {
      await Promise.all(running.map(({ close }) => close()));
      await simulator.close();
      await started.close();
    },
  };
}

async function startReplica(environment: Record<string, string>) {
  const ports = new ListeningPorts();
  const service = await startService({
    name: 'catalog',
    module: catalog,
    environment: { ...environment, PORT: '0', METRICS_PORT: '0', RATE_LIMIT_PER_MINUTE: '0' },
    logDestination: ports,
  });
  const api = ports.url('PORT');
  const ask: Ask = async (path, { method = 'GET', body } = {}) => {
    const answer = await fetch(api + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
  };
  return { ask, close: () => service.close() };
}
