import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from './options.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../../../../bench/results');

/** On what it was measured, without saying whose machine it is. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  return (
    `${availableParallelism()} cores (${model}), ${memory} GB, ` +
    `${process.platform}-${process.arch}, Node ${process.version}`
  );
}

/** How it was measured, for whoever wants to do it again. */
export function describeRun({
  messages,
  repetitions,
  minutes,
  lingerScale,
  broker,
  node,
}: Options) {
  const options = node.length === 0 ? '' : `, Node with ${node.join(' ')}`;
  return (
    `${broker} broker, embedded DynamoDB engine, ${messages} messages a portion, ` +
    `${repetitions} repetitions (median and between what), ${minutes} minutes of memory, ` +
    `linger played ${lingerScale} × as fast${options}`
  );
}

/** @returns the file that it is written to, one a day */
export function save(lines: readonly string[]): string {
  const date = new Date().toISOString().slice(0, 10);
  const file = join(folder, `${date}-ingestion.md`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `# Ingestion, ${date}\n\n${lines.join('\n\n')}\n`);
  return file;
}
