import { Simulator } from '@engawa/dynamodb-simulator';
import { ensureTable } from '@engawa/table';
import { startTable } from '@engawa/testing';
import { ask, RunningService } from '../running-service.ts';
import type { JsonResponse } from '../json-response.ts';

export type Ask = (
  path: string,
  request?: { method?: string; body?: unknown },
) => Promise<JsonResponse>;

/** Replicas of the catalog over a table whose transactions take several milliseconds, as in DynamoDB. */
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
  const service = await RunningService.start('catalog', { environment });
  const send: Ask = (path, request) => ask(service.url + path, request);
  return { ask: send, close: () => service.close() };
}
