import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '@engawa/embedded';

/** URL of the DynamoDB API for all tests; by default they share a strict one. */
const endpointVariable = 'TEST_DYNAMODB_ENDPOINT';
/**
 * URL of the strict API that the tests of a run share (tools/workspace, src/tests/strict-dynamodb.ts): an embedded
 * engine behind a proxy that rejects what DynamoDB rejects and the engine accepts.
 */
const strictEndpointVariable = 'TEST_STRICT_DYNAMODB_ENDPOINT';

/** A DynamoDB API for one test file. */
export interface TestDynamoDb {
  endpoint: string;
  /** Whether `TEST_DYNAMODB_ENDPOINT` names the API; otherwise it is an embedded engine. */
  isNamed: boolean;
  /** The unique name of this test file's table `name`: other test files use the same API. */
  tableNamed(name: string): string;
  /** Ends the test's own engine, or deletes the named tables of a shared API. */
  close(): Promise<void>;
}

/**
 * The API that the environment names, or the strict one.
 * @param own an embedded engine of the test's own instead, which accepts some requests that DynamoDB rejects: for tests
 * that end it, or compare it with others
 */
export async function openDynamoDb(own?: { dataFile?: string }): Promise<TestDynamoDb> {
  const external = endpointFromEnvironment();
  const shared = external ?? (own === undefined ? process.env[strictEndpointVariable] : undefined);
  const engine = shared === undefined ? await startDynamoDb(own) : { endpoint: shared };
  const { endpoint } = engine;
  const suffix = randomUUID();
  const names = new Set<string>();
  return {
    endpoint,
    isNamed: external !== undefined,
    tableNamed: (name) => {
      const unique = `${name}-${suffix}`;
      names.add(unique);
      return unique;
    },
    close: () => ('close' in engine ? engine.close() : deleteTables(endpoint, names)),
  };
}

/**
 * `describe`, skipped with the reason if the environment names another API than the embedded engine.
 * @param reason the property that only the embedded engine has
 */
export function describeOnEmbedded(reason: string, name: string, tests: () => void): void {
  const endpoint = endpointFromEnvironment();
  if (endpoint === undefined) describe(name, tests);
  else describe.skip(`${name} (skipped on ${endpoint}: ${reason})`, tests);
}

function endpointFromEnvironment(): string | undefined {
  const text = process.env[endpointVariable];
  return text === undefined || text === '' ? undefined : text;
}

async function deleteTables(endpoint: string, names: ReadonlySet<string>): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  try {
    for (const TableName of names) {
      await client.send(new DeleteTableCommand({ TableName })).catch((error: unknown) => {
        // A test that failed early, or tests the creation of tables, may not have created this one.
        if ((error as Error).name !== 'ResourceNotFoundException') throw error;
      });
    }
  } finally {
    client.destroy();
  }
}
