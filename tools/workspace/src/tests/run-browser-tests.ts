import { run, runConcurrently } from '../run.ts';
import { testEnvironment } from './run-jest.ts';

const command = {
  title: 'browser tests',
  command: 'node',
  args: ['apps/console/test/browser/run.ts'],
  environment: testEnvironment,
};

/** The tests with the tag `@main`: a path through each page. */
export async function runMainBrowserTests(): Promise<void> {
  await run({ ...command, args: [...command.args, '--grep', '@main'] });
}

/** All of them, concurrently with other tests: they wait more than they compute. */
export async function runAllBrowserTests(): Promise<void> {
  await runConcurrently(command);
}
