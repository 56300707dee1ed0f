import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@engawa/embedded';

export interface Failure {
  name: string;
  message: string;
}

/** The form that tools/workspace reads of every project. */
export interface Summary {
  passed: number;
  failed: number;
  skipped: string[];
  failures: Failure[];
}

const folder = join(workspace, 'node_modules/.cache/test-results');

export function writeSummary(summary: Summary): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'browser-tests.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
}
