import { OperatorError } from '@engawa/errors';
import { changedFiles } from './tests/changed-files.ts';
import { check } from './tests/check.ts';
import { readOptions } from './tests/options.ts';
import { pauseProcesses } from './tests/pause-processes.ts';
import { isIn, projectsNamed, readProjects } from './tests/projects.ts';
import { printReport } from './tests/report.ts';
import { readResults, removeResults } from './tests/results.ts';
import { listTests, relatedTests, runJest, testEnvironment } from './tests/run-jest.ts';
import { changedTests, productTests } from './tests/select-tests.ts';
import { runConcurrently } from './run.ts';
import type { TestOptions } from './tests/options.ts';
import type { Project } from './tests/projects.ts';
import type { Suite } from './tests/results.ts';
import type { JestConfig } from './tests/run-jest.ts';
import type { Selection } from './tests/select-tests.ts';

await main();

/** `npm test`, `npm run test:long`, `npm run test:all`: see options.ts. The last line counts the tests. */
async function main(): Promise<void> {
  const begin = performance.now();
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    removeResults();
    const { checks, suites, leftOut } = await runTests(options);
    const results = suites.map(readResults);
    const { failed } = printReport({ checks, results, leftOut, begin });
    process.exitCode = failed > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    console.error(`engawa: ${error.message}`);
    process.exitCode = 1;
  }
}

interface Run {
  /** By name, whether it passed. */
  checks: Readonly<Record<string, boolean>>;
  /** The suites that were run. */
  suites: Suite[];
  leftOut: string[];
}

async function runTests(options: TestOptions): Promise<Run> {
  const projects = readProjects();
  const named = projectsNamed(options.projects, projects);
  const changes = options.everything ? undefined : changedFiles();
  const checking = options.isShort ? check(changes?.files) : Promise.resolve({});
  // What is quickest first, unless all is run: then tests use the core that the checks leave.
  if (!options.everything) await checking;
  const suites: Suite[] = [];
  const leftOut: string[] = [];
  const browser = browserTests(options, named);
  if (browser !== 'none') suites.push('browser-tests');
  if (browser === 'main')
    leftOut.push('browser tests other than a path through each page (npm run test:long)');
  const runSuite = async (suite: Suite, config: JestConfig) => {
    const selection = await select(config, { options, projects, named, changes });
    if (selection.tests.length > 0) suites.push(suite);
    leftOut.push(...selection.leftOut);
    const isThorough = options.everything || suite === 'long-tests';
    await runJest(config, selection.tests, { isThorough });
  };
  const runSuites = async () => {
    if (options.isShort) await runSuite('tests', 'jest.config.cjs');
    // Concurrently: long tests and browser tests wait more than they compute.
    await Promise.all([
      options.isLong && runSuite('long-tests', 'jest.long.cjs'),
      browser !== 'none' && runBrowserTests(browser),
    ]);
  };
  await (options.pauses ? withPauses(runSuites) : runSuites());
  return { checks: await checking, suites, leftOut };
}

/** Runs the tests while their processes are paused at random. */
async function withPauses(runSuites: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const pauses = pauseProcesses(process.pid, ended.signal);
  await runSuites().finally(() => ended.abort());
  console.log(`\nprocesses were paused ${await pauses} times`);
}

interface SelectOptions {
  options: TestOptions;
  projects: readonly Project[];
  named: readonly Project[];
  changes: ReturnType<typeof changedFiles>;
}

async function select(
  config: JestConfig,
  { options, projects, named, changes }: SelectOptions,
): Promise<Selection> {
  const tests = await listTests(config);
  if (named.length > 0) {
    const isNamed = (file: string) => named.some(({ folder }) => isIn(folder, file));
    return { tests: tests.filter(isNamed), leftOut: [] };
  }
  const relatedTo = (files: readonly string[]) => relatedTests(config, files);
  if (options.changed) return changedTests({ projects, tests, changes, relatedTo });
  if (config === 'jest.long.cjs') return { tests, leftOut: [] };
  return productTests({ projects, tests, changes, relatedTo });
}

/** They test the console with all services behind it. */
function browserTests(options: TestOptions, named: readonly Project[]): 'none' | 'main' | 'all' {
  const isChosen = named.length === 0 || named.some(({ name }) => name === 'console');
  if (!isChosen || options.changed) return 'none';
  return options.isLong ? 'all' : 'main';
}

/** Runs all browser tests, or those with the tag `@main`: a path through each page. */
async function runBrowserTests(selection: 'main' | 'all'): Promise<void> {
  const args = ['apps/console/test/browser/run.ts'];
  if (selection === 'main') args.push('--grep', '@main');
  const title = 'browser tests';
  await runConcurrently({ title, command: 'node', args, environment: testEnvironment });
}
