import { startDynamoDbProxy } from './start-dynamodb-proxy.ts';
import type { DynamoDbProxy, ProxiedRequest } from './start-dynamodb-proxy.ts';

/** Operations that write. */
const writes: ReadonlySet<string> = new Set([
  'DeleteItem',
  'PutItem',
  'TransactWriteItems',
  'UpdateItem',
]);

/**
 * A DynamoDB proxy for a service that loses every race: before it forwards a write, it runs `overtake`, in which the
 * test makes the write of another client. So conditions of the service's writes fail for a real reason.
 */
export interface OvertakingProxy extends DynamoDbProxy {
  /** Runs before each write; undefined: writes are only forwarded. */
  overtake: ((request: ProxiedRequest) => Promise<unknown>) | undefined;
  /** Settings of a service that uses this proxy. */
  environment: Record<string, string>;
}

/** @param upstream URL of the DynamoDB API */
export async function startOvertakingProxy(upstream: string): Promise<OvertakingProxy> {
  const state: Pick<OvertakingProxy, 'overtake'> = { overtake: undefined };
  const proxy = await startDynamoDbProxy(upstream, async (request) => {
    if (writes.has(request.operation)) await state.overtake?.(request);
    return request.forward();
  });
  return Object.assign(state, proxy, { environment: { DYNAMODB_ENDPOINT: proxy.endpoint } });
}
