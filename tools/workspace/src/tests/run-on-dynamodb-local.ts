import { run } from '../run.ts';
import { testEnvironment } from './run-jest.ts';

const script = 'tools/workspace/dynamodb-local/run.sh';

/**
 * Runs the tests of jest.dynamodb-local.cjs against Amazon's DynamoDB Local, which needs Java, and Maven to fetch it.
 * @returns why they were left out; undefined after a run, whose results are in the folder of results
 */
export async function runOnDynamoDbLocal(): Promise<string | undefined> {
  const fetch = { title: 'fetch DynamoDB Local', command: script, args: [] };
  if (!(await run(fetch))) return 'tests against DynamoDB Local: its message is above';
  const title = 'jest -c jest.dynamodb-local.cjs';
  const args = ['jest', '-c', 'jest.dynamodb-local.cjs'];
  await run({ title, command: script, args, environment: testEnvironment });
  return undefined;
}
