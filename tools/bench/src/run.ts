import { benchConsole } from './console/bench-console.ts';
import { benchHot } from './hot/bench-hot.ts';
import { benchIngestion } from './ingestion/bench-ingestion.ts';
import { benchPeers } from './peers/bench-peers.ts';
import { benchQuery } from './query/bench-query.ts';
import { benchStart } from './start/bench-start.ts';
import { benchWalks } from './walks/bench-walks.ts';
import { renderTable } from './report.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from './options.ts';
import type { Findings, Print } from './report.ts';

/** Measures, prints the report, and saves it with `--save`. */
export async function run(options: Options, print: Print): Promise<void> {
  const { how, findings, more = [] } = await bench(options, print);
  const lines = [describeMachine(), how, renderTable(findings), ...more];
  print(`\n${lines.join('\n\n')}`);
  if (options.save) print(`\nsaved in ${save(options.subject, lines)}`);
}

function bench(options: Options, print: Print): Promise<Findings> {
  switch (options.subject) {
    case 'console':
      return benchConsole(options, print);
    case 'hot':
      return benchHot(options, print);
    case 'ingestion':
      return benchIngestion(options, print);
    case 'peers':
      return benchPeers(options, print);
    case 'query':
      return benchQuery(options, print);
    case 'start':
      return benchStart(options, print);
    case 'walks':
      return benchWalks(options, print);
  }
}

const folder = resolve(fileURLToPath(import.meta.url), '../../../../bench/results');

/** The machine, without its name. */
function describeMachine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  return (
    `${availableParallelism()} cores (${model}), ${memory} GB, ` +
    `${process.platform}-${process.arch}, Node ${process.version}`
  );
}

/** @returns the file, one per subject and day */
function save(subject: Options['subject'], lines: readonly string[]): string {
  const date = new Date().toISOString().slice(0, 10);
  const file = join(folder, `${date}-${subject}.md`);
  const title = subject.slice(0, 1).toUpperCase() + subject.slice(1);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `# ${title}, ${date}\n\n${lines.join('\n\n')}\n`);
  return file;
}
