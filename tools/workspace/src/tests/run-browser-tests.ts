import { runConcurrently } from '../run.ts';
import { testEnvironment } from './run-jest.ts';

/** Runs all browser tests, or those with the tag `@main`: a path through each page. */
export async function runBrowserTests(selection: 'main' | 'all'): Promise<void> {
  const args = ['apps/console/test/browser/run.ts'];
  if (selection === 'main') args.push('--grep', '@main');
  const title = 'browser tests';
  await runConcurrently({ title, command: 'node', args, environment: testEnvironment });
}
