import { parseArgs } from 'node:util';
import { nxEnvironment, runNxTarget } from './nx-target.ts';
import { runConcurrently } from './run.ts';
import { printTaskTimes } from './task-times.ts';
import { readSummaries, removeSummaries } from './test-summaries.ts';

/**
 * `npm test`: format, lint, types, and every project's tests. `--long` (`npm run test:long`): only the scenes that need
 * minutes by nature. `--all` (`npm run test:all`): both. Other arguments narrow the tests to some projects:
 * `npm test -- keys model`. The last line says how many passed, failed and were skipped.
 */
const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' }, all: { type: 'boolean' } },
  allowPositionals: true,
});
const projects = positionals.map((name) => (name.startsWith('@') ? name : `@engawa/${name}`));
const isShort = values.long !== true;
const isLong = values.long === true || values.all === true;
const testTargets = [
  ...(isShort ? ['test', 'test-browser'] : []),
  ...(isLong ? ['test-long'] : []),
];

const lintedFolders = ['apps', 'bench', 'libs', 'tools'];

removeSummaries();
const checks: Readonly<Record<string, boolean>> = isShort ? await check() : {};
for (const target of testTargets) runNxTarget(target, projects);

const summaries = testTargets.flatMap((target) => readSummaries(target, projects));
const failedChecks = Object.keys(checks).filter((name) => checks[name] !== true);
const failures = [
  ...failedChecks.map((name) => ({ name, message: 'its errors are above' })),
  ...summaries.flatMap((summary) => summary.failures),
];
const skipped = summaries.flatMap((summary) => summary.skipped);
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
const passed =
  Object.values(checks).filter(Boolean).length + sum(summaries.map((summary) => summary.passed));
const failed = failedChecks.length + sum(summaries.map((summary) => summary.failed));

printTaskTimes();
console.log(skipped.length > 0 ? '\nskipped:' : '');
for (const name of skipped) console.log(`  ${name}`);
// Once more at the end, where a log that is cut still shows them.
if (failures.length > 0) console.log('\nfailed:');
for (const { name, message } of failures) {
  console.log(`  ${name}\n${message.replaceAll(/^/gm, '    ')}`);
}
const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
console.log(`${passed} passed, ${failed} failed${rest}`);
process.exitCode = failed > 0 ? 1 : 0;

/** Concurrently, since each check computes with one thread. */
async function check(): Promise<Record<string, boolean>> {
  const [format, linted, typed] = await Promise.all([
    runConcurrently('format', 'prettier', ['--check', '--log-level=warn', '.']),
    lint(),
    typecheck(),
  ]);
  return { format, lint: linted, typecheck: typed };
}

/** All code that runs in Node as one program, and the code of the browser as another: with other global types. */
async function typecheck(): Promise<boolean> {
  const programs = ['tools/workspace/tsconfig.all.json', 'apps/console/web/tsconfig.json'];
  let isTyped = true;
  for (const program of programs) {
    isTyped = (await runConcurrently(`typecheck ${program}`, 'tsc', ['-p', program])) && isTyped;
  }
  return isTyped;
}

/**
 * The rule on imports between projects reads the project graph that Nx has cached, and is skipped
 * where there is none.
 */
async function lint(): Promise<boolean> {
  const graph = ['graph', '--file=node_modules/.cache/project-graph.json'];
  return (
    (await runConcurrently('project graph', 'nx', graph, nxEnvironment)) &&
    (await runConcurrently('lint', 'eslint', lintedFolders))
  );
}
