import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceSize {
  lines: number;
  files: number;
}

/** TypeScript and JavaScript in apps, libs and tools, without tests and generated files. */
export function sourceSize(checkout: string): SourceSize {
  const tracked = execFileSync('git', ['ls-files', 'apps', 'libs', 'tools'], { cwd: checkout });
  const files = tracked.toString().split('\n').filter(isSource);
  const lines = files
    .map((file) => readFileSync(join(checkout, file), 'utf8').split('\n').length - 1)
    .reduce((sum, count) => sum + count, 0);
  return { lines, files: files.length };
}

function isSource(file: string): boolean {
  return /\.(tsx?|mjs)$/.test(file) && !/\.test\.tsx?$|\/(test|generated)\//.test(file);
}
