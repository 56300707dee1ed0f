import { join } from 'node:path';
import { RunningProcess, startDynamoDb, startLocalStack, workspace } from '@engawa/embedded';
import { freePort } from '@engawa/testing';
import type { LocalStack } from '@engawa/embedded';

/** Write units per second of one partition key, instead of DynamoDB's 1,000. */
export const writeLimit = 20;

/** Starts a stack whose table throttles partition keys above `writeLimit`. */
export async function startThrottledStack(): Promise<LocalStack> {
  const engine = await startDynamoDb();
  const port = await freePort();
  const script = join(workspace, 'tools/dynamodb-simulator/src/main.ts');
  const simulator = new RunningProcess({
    name: 'dynamodb-simulator',
    command: [process.execPath, script, '--upstream', engine.endpoint, '--port', String(port)],
    parentDeathSignal: 'TERM',
  });
  const closeTable = async (): Promise<void> => {
    await simulator.end();
    await engine.close();
  };
  try {
    await simulator.untilReady({ port });
    const endpoint = `http://127.0.0.1:${port}`;
    const environment = {
      DYNAMODB_ENDPOINT: endpoint,
      PARTITION_WRITE_LIMIT: String(writeLimit),
      LINGER_MS: '0',
    };
    const stack = await startLocalStack({ simulator: false, environment });
    const limits = { partition: { write: writeLimit, read: 3000 }, burstSeconds: 1 };
    const set = { method: 'PUT', body: JSON.stringify(limits) };
    const response = await fetch(`${endpoint}/simulator/limits`, set);
    if (!response.ok) throw new Error(`limits: ${await response.text()}`);
    const close = async (): Promise<void> => {
      await stack.close();
      await closeTable();
    };
    return { ...stack, dynamoDbEndpoint: endpoint, close };
  } catch (error) {
    await closeTable();
    throw error;
  }
}
