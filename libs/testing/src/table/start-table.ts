import { openDynamoDb } from './open-dynamodb.ts';

/** The table's location for a client. */
export interface TestTableLocation {
  tableName: string;
  region: string;
  endpoint: string;
  /** Milliseconds. */
  timeoutMs: number;
}

export interface StartedTable {
  location: TestTableLocation;
  /** Settings of a service with this table. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** Milliseconds; long, since a retry on a busy machine would be counted twice. */
const timeoutMs = 60_000;
/** Milliseconds; long, since a page on a busy machine would end early. */
const deadlineMs = 600_000;

/**
 * An empty table of the tests' DynamoDB API. The caller passes `ensureTable` of the table library, since this library
 * may not import adapters.
 */
export async function startTable(
  ensure: (location: TestTableLocation) => Promise<unknown>,
): Promise<StartedTable> {
  const engine = await openDynamoDb();
  const { endpoint } = engine;
  const location = {
    tableName: engine.tableNamed('engawa-test'),
    region: 'local',
    endpoint,
    timeoutMs,
  };
  try {
    await ensure(location);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    location,
    environment: {
      TABLE_NAME: location.tableName,
      AWS_REGION: location.region,
      DYNAMODB_ENDPOINT: endpoint,
      DYNAMODB_TIMEOUT_MS: String(timeoutMs),
      REQUEST_DEADLINE_MS: String(deadlineMs),
    },
    close: () => engine.close(),
  };
}
