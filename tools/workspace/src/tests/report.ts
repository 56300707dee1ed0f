import type { TestResults } from './results.ts';
import { projectTable } from './times.ts';

export interface ReportOptions {
  /** By name, whether it passed. */
  checks: Readonly<Record<string, boolean>>;
  results: readonly TestResults[];
  leftOut: readonly string[];
  /** When the run began, by `performance.now`. */
  begin: number;
}

/**
 * Prints the times of each project, skipped and left-out tests, and the failures; then a last line with the counts. All
 * of it at the end, where a log that is cut still shows it.
 */
export function printReport({ checks, results, leftOut, begin }: ReportOptions): {
  failed: number;
} {
  const failedChecks = Object.keys(checks).filter((name) => checks[name] !== true);
  const failures = [
    ...failedChecks.map((name) => ({ name, message: 'its errors are above' })),
    ...results.flatMap((result) => result.failures),
  ];
  const skipped = results.flatMap((result) => result.skipped);
  const passed = Object.values(checks).filter(Boolean).length + sum(results, 'passed');
  const failed = failedChecks.length + sum(results, 'failed');
  for (const line of projectTable(results.flatMap(({ times = [] }) => times))) console.log(line);
  printList('skipped:', skipped);
  printList('left out:', leftOut);
  if (failures.length > 0) console.log('\nfailed:');
  for (const { name, message } of failures) {
    console.log(`  ${name}\n${message.replaceAll(/^/gm, '    ')}`);
  }
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  console.log(`\n${minutes} minutes; npm run test:times has the times of each file`);
  console.log(
    `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  );
  return { failed };
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.log(`\n${title}`);
  for (const line of lines) console.log(`  ${line}`);
}

function sum(results: readonly TestResults[], count: 'passed' | 'failed'): number {
  return results.reduce((total, result) => total + result[count], 0);
}
