import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

const file = join(import.meta.dirname, '../../browser-test-results.json');

export function writeSummary(summary: Summary): void {
  writeFileSync(file, `${JSON.stringify(summary, undefined, 2)}\n`);
}
