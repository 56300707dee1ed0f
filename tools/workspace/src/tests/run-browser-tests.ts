import { run } from '../run.ts';
import { testEnvironment } from './run-jest.ts';

/** `main`: the tests with the tag `@main`, a path through each page. */
export async function runBrowserTests(selected: 'main' | 'all'): Promise<void> {
  const filter = selected === 'main' ? ['--grep', '@main'] : [];
  await run(
    'browser tests',
    'node',
    ['apps/console/test/browser/run.ts', ...filter],
    testEnvironment,
  );
}
