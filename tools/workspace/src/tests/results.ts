import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../run.ts';

/** What one phase of a test file took, in milliseconds. */
export interface PhaseTime {
  wallMs: number;
  /** CPU time of the worker. */
  cpuMs: number;
  /** CPU time of child processes that ended in this phase. */
  childCpuMs: number;
}

/** As timed-environment.cjs measures it. */
export interface FileTimes {
  /** Relative to the workspace. */
  file: string;
  tests: number;
  phases: Partial<Record<'load' | 'start' | 'test' | 'between' | 'end', PhaseTime>>;
}

/** The content of a file that a reporter writes; `skipped` has the names of tests. */
export interface TestResults {
  passed: number;
  failed: number;
  skipped: string[];
  /** `message` has the first lines of the error, without colours. */
  failures: { name: string; message: string }[];
  /** Only of tests that Jest runs. */
  times?: FileTimes[];
}

/** The reporters of Jest and of the browser tests write here. */
export const resultsFolder = join(workspace, 'node_modules/.cache/test-results');

export const suites = ['tests', 'browser-tests', 'long-tests'] as const;
export type Suite = (typeof suites)[number];

/** Removes what an earlier run has left. */
export function removeResults(): void {
  mkdirSync(resultsFolder, { recursive: true });
  for (const suite of suites) rmSync(fileOf(suite), { force: true });
}

/** The results of a suite that was run; one failure where it left no results. */
export function readResults(suite: Suite): TestResults {
  const failures = [{ name: suite, message: 'wrote no results' }];
  return readIfRun(suite) ?? { passed: 0, failed: 1, skipped: [], failures };
}

export function readIfRun(suite: Suite): TestResults | undefined {
  const file = fileOf(suite);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestResults) : undefined;
}

function fileOf(suite: Suite): string {
  return join(resultsFolder, `${suite}.json`);
}
