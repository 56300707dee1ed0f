import { StrictProxy } from '@engawa/dynamodb-simulator';
import { startDynamoDb } from '@engawa/embedded';

/** As in libs/testing, open-dynamodb.ts. */
const endpointVariable = 'TEST_DYNAMODB_ENDPOINT';
const strictEndpointVariable = 'TEST_STRICT_DYNAMODB_ENDPOINT';

/**
 * Jest's global setup: the DynamoDB API that the tests of a run share. A proxy before the embedded engine rejects what
 * DynamoDB rejects and the engine accepts.
 * @returns its end
 */
export async function startStrictDynamoDb(): Promise<() => Promise<void>> {
  if ((process.env[endpointVariable] ?? '') !== '') return () => Promise.resolve();
  const engine = await startDynamoDb();
  const proxy = await StrictProxy.start(engine.endpoint);
  process.env[strictEndpointVariable] = proxy.endpoint;
  return async () => {
    await proxy.close();
    await engine.close();
  };
}
