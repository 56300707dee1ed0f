import { faultOf } from './fault.ts';
import { throttlingsOf } from './throttling.ts';
import type { ConsumedCapacity, DynamoDBClient, ServiceInputTypes } from '@aws-sdk/client-dynamodb';
import type { Heat } from '@engawa/heat';
import type { Availability } from './availability.ts';
import type { TableMetrics } from './table-metrics.ts';

/** What the middleware reads of answers; each operation has some of it. */
interface Answer {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
  UnprocessedItems?: Record<string, unknown[]>;
  UnprocessedKeys?: Record<string, { Keys?: unknown[] }>;
}

interface Observers {
  metrics: TableMetrics;
  availability: Availability;
  heat?: Heat | undefined;
}

/** Counts every attempt, also those that the SDK then repeats by itself and says nothing of. */
export function observeAttempts(
  client: DynamoDBClient,
  { metrics, availability }: Observers,
): void {
  client.middlewareStack.add(
    (next, { commandName }) => {
      const operation = operationOf(commandName);
      return async (attempt) => {
        const index = indexAsked(attempt.input);
        const start = performance.now();
        const ended = (outcome: Parameters<TableMetrics['attempted']>[1]) =>
          metrics.attempted({ operation, index }, outcome, (performance.now() - start) / 1000);
        try {
          const result = await next(attempt);
          ended('ok');
          availability.answered(operation);
          recordAnswer(metrics, operation, result.output);
          return result;
        } catch (error) {
          const fault = faultOf(error);
          ended(fault);
          if (fault === 'throttled') {
            for (const one of throttlingsOf(error, index)) metrics.throttled(operation, one);
          }
          throw ofThisRealm(error);
        }
      };
    },
    // Outside the deserializer, so that errors are parsed; inside the retries, which are a step earlier.
    { name: 'engawaObserveAttempts', step: 'deserialize', priority: 'high' },
  );
}

/** Of an error from another realm (Node's own, where tests run in a context) the SDK's retry keeps nothing but words. */
function ofThisRealm(error: unknown): Error {
  if (error instanceof Error) return error;
  return Object.assign(new Error(String(error), { cause: error }), error);
}

/** Keeps in mind what became of whole requests, also of those that had no credentials to be sent with. */
export function observeRequests(client: DynamoDBClient, availability: Availability): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        try {
          return await next(request);
        } catch (error) {
          availability.failed(operationOf(commandName), error);
          throw error;
        }
      },
    { name: 'engawaObserveRequests', step: 'initialize' },
  );
}

/** `GetItem` of the SDK's `GetItemCommand`. */
export function operationOf(commandName = ''): string {
  return commandName.replace(/Command$/, '');
}

export function indexAsked(input: ServiceInputTypes): string {
  return 'IndexName' in input && input.IndexName !== undefined ? input.IndexName : 'table';
}

function recordAnswer(metrics: TableMetrics, operation: string, output: unknown): void {
  const { ConsumedCapacity = [], UnprocessedItems, UnprocessedKeys } = output as Answer;
  const unit = /Write|Put|Update|Delete/.test(operation) ? 'write' : 'read';
  for (const capacity of [ConsumedCapacity].flat()) {
    for (const [index, units] of unitsByIndex(capacity)) {
      metrics.consumed({ operation, index }, unit, units);
    }
  }
  const unprocessed =
    countItems(Object.values(UnprocessedItems ?? {})) +
    countItems(Object.values(UnprocessedKeys ?? {}).map(({ Keys = [] }) => Keys));
  if (unprocessed > 0) metrics.unprocessed(operation, unprocessed);
}

function unitsByIndex({ CapacityUnits, Table, GlobalSecondaryIndexes }: ConsumedCapacity) {
  const indexes = Object.entries(GlobalSecondaryIndexes ?? {});
  const all = [['table', Table ?? { CapacityUnits }] as const, ...indexes];
  return all.map(([index, used]) => [index, used.CapacityUnits ?? 0] as const);
}

function countItems(lists: readonly unknown[][]): number {
  return lists.reduce((count, list) => count + list.length, 0);
}
