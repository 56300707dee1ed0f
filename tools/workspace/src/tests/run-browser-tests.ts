import { run } from '../run.ts';
import { testEnvironment } from './run-jest.ts';

/** `main`: the tests with the tag `@main`, a path through each page. */
export function runBrowserTests(selected: 'main' | 'all'): void {
  const filter = selected === 'main' ? ['--grep', '@main'] : [];
  run('browser tests', 'node', ['apps/console/test/browser/run.ts', ...filter], testEnvironment);
}
