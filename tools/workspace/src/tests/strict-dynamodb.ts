import { Simulator } from '@engawa/dynamodb-simulator';
import { startDynamoDb } from '@engawa/embedded';

/** As in libs/testing, open-dynamodb.ts. */
const endpointVariable = 'TEST_DYNAMODB_ENDPOINT';
const strictEndpointVariable = 'TEST_STRICT_DYNAMODB_ENDPOINT';

/**
 * Jest's global setup: the DynamoDB API that the tests of a run share. The simulator before the embedded engine rejects
 * what DynamoDB rejects and the engine accepts.
 * @returns its end
 */
export async function startStrictDynamoDb(): Promise<() => Promise<void>> {
  if ((process.env[endpointVariable] ?? '') !== '') return () => Promise.resolve();
  const engine = await startDynamoDb();
  const simulator = await Simulator.start({ upstream: engine.endpoint });
  process.env[strictEndpointVariable] = simulator.endpoint;
  return async () => {
    await simulator.close();
    await engine.close();
  };
}
