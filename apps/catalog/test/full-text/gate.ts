import { dynamoDbError, startDynamoDbProxy } from '@engawa/testing';
import type { DynamoDbProxy } from '@engawa/testing';

/** A proxy of the engine that can refuse Queries: polls for text changes then fail. */
export interface Gate extends DynamoDbProxy {
  isOpen: boolean;
  /** Number of refused Queries. */
  refused: number;
}

export async function startGate(upstream: string): Promise<Gate> {
  const gate = { isOpen: true, refused: 0 };
  const proxy = await startDynamoDbProxy(upstream, (request) => {
    if (gate.isOpen || request.operation !== 'Query') return request.forward();
    gate.refused++;
    return Promise.resolve(dynamoDbError('ProvisionedThroughputExceededException'));
  });
  return Object.assign(gate, proxy);
}
