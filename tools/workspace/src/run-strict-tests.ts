import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Simulator } from '@engawa/dynamodb-simulator';
import { startDynamoDb } from '@engawa/embedded';
import { nxArguments, nxEnvironment } from './nx-target.ts';
import { workspace } from './run.ts';

/**
 * `npm run test:strict`: the tests of what uses a table, with the simulator in front of the
 * embedded engine, which refuses what DynamoDB refuses and the engine does not. Arguments name
 * other projects: `npm run test:strict -- ingestion`.
 */
const named = process.argv.slice(2);
const projects = named.length > 0 ? named : ['table', 'registry', 'query', 'catalog'];

const engine = await startDynamoDb();
const simulator = await Simulator.start({ upstream: engine.endpoint });
try {
  console.log(`the simulator is at ${simulator.endpoint}`);
  const args = nxArguments(
    'test',
    projects.map((name) => `@engawa/${name}`),
    // A result of another engine's is of no use, and the endpoint is another each time.
    { ...process.env, CI: 'true' },
  );
  const child = spawn('nx', args, {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, ...nxEnvironment, TEST_DYNAMODB_ENDPOINT: simulator.endpoint },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  await simulator.close();
  await engine.close();
}
