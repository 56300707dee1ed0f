import { openDynamoDb } from './open-dynamodb.ts';

/** Where the table is, as whoever connects to it wants to know. */
export interface TestTableLocation {
  tableName: string;
  region: string;
  endpoint: string;
  /** Milliseconds. */
  timeoutMs: number;
}

export interface StartedTable {
  location: TestTableLocation;
  /** Leads a service to the table. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** Milliseconds; long, because what a busy machine delays must not be tried again, and counted twice. */
const timeoutMs = 60_000;

/**
 * An empty table of the tests' DynamoDB API. The caller says how a table is made, with `ensureTable` of the table
 * library: this library knows no adapter.
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
    },
    close: () => engine.close(),
  };
}
