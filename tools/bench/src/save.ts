import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from './options.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../../../../bench/results');

/** The machine, without its name. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  return (
    `${availableParallelism()} cores (${model}), ${memory} GB, ` +
    `${process.platform}-${process.arch}, Node ${process.version}`
  );
}

/** @returns the file, one per subject and day */
export function save(subject: Options['subject'], lines: readonly string[]): string {
  const date = new Date().toISOString().slice(0, 10);
  const file = join(folder, `${date}-${subject}.md`);
  const title = subject.slice(0, 1).toUpperCase() + subject.slice(1);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `# ${title}, ${date}\n\n${lines.join('\n\n')}\n`);
  return file;
}
