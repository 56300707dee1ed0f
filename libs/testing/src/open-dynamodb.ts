import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '@engawa/embedded';

/** URL of the DynamoDB API that the tests use; where it is not set, each test file starts an embedded engine. */
export const endpointVariable = 'TEST_DYNAMODB_ENDPOINT';

/** A DynamoDB API for one test file. */
export interface TestDynamoDb {
  endpoint: string;
  /** Whether the environment names it; otherwise it is an embedded engine. */
  isNamed: boolean;
  /** The name under which this test file has its table `name`: other test files use the same API. */
  tableNamed(name: string): string;
  /** Ends the embedded engine, or deletes the named tables from an API that stays. */
  close(): Promise<void>;
}

/** The API that the environment names, or an embedded engine. The only place that decides which. */
export async function openDynamoDb(options: { dataFile?: string } = {}): Promise<TestDynamoDb> {
  const named = namedEndpoint();
  const engine = named === undefined ? await startDynamoDb(options) : undefined;
  const endpoint = named ?? engine?.endpoint ?? '';
  const suffix = randomUUID();
  const names = new Set<string>();
  return {
    endpoint,
    isNamed: named !== undefined,
    tableNamed: (name) => {
      const unique = `${name}-${suffix}`;
      names.add(unique);
      return unique;
    },
    close: () => engine?.close() ?? deleteTables(endpoint, names),
  };
}

/**
 * `describe` where the tests start an embedded engine, and one that is skipped with its reason where the environment names
 * another API.
 * @param reason what only the embedded engine has
 */
export function describeOnEmbedded(reason: string, name: string, tests: () => void): void {
  const named = namedEndpoint();
  if (named === undefined) describe(name, tests);
  else describe.skip(`${name} (skipped on ${named}: ${reason})`, tests);
}

function namedEndpoint(): string | undefined {
  const text = process.env[endpointVariable];
  return text === undefined || text === '' ? undefined : text;
}

async function deleteTables(endpoint: string, names: ReadonlySet<string>): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  try {
    for (const TableName of names) {
      await client.send(new DeleteTableCommand({ TableName })).catch((error: unknown) => {
        // A test that failed early, or is about making tables, may not have made this one.
        if ((error as Error).name !== 'ResourceNotFoundException') throw error;
      });
    }
  } finally {
    client.destroy();
  }
}
