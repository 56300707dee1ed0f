import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Simulator } from '@engawa/dynamodb-simulator';
import { startDynamoDb } from '@engawa/embedded';
import { workspace } from './run.ts';
import { isIn, projectsNamed, readProjects } from './tests/projects.ts';
import { listTests, testEnvironment } from './tests/run-jest.ts';

/**
 * `npm run test:strict`: the tests of what uses a table, with the simulator in front of the
 * embedded engine, which refuses what DynamoDB refuses and the engine does not. Arguments name
 * other projects: `npm run test:strict -- ingestion`.
 */
const named = process.argv.slice(2);
const names = named.length > 0 ? named : ['table', 'registry', 'query', 'catalog'];
const projects = projectsNamed(names, readProjects());
const tests = (await listTests('jest.config.cjs')).filter((file) =>
  projects.some(({ folder }) => isIn(folder, file)),
);

const engine = await startDynamoDb();
const simulator = await Simulator.start({ upstream: engine.endpoint });
try {
  console.log(`the simulator is at ${simulator.endpoint}`);
  const child = spawn('jest', ['--runTestsByPath', ...tests], {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, ...testEnvironment, TEST_DYNAMODB_ENDPOINT: simulator.endpoint },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  await simulator.close();
  await engine.close();
}
