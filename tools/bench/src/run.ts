import { benchConsole } from './console/bench-console.ts';
import { benchHot } from './hot/bench-hot.ts';
import { benchIngestion } from './ingestion/bench-ingestion.ts';
import { benchPeers } from './peers/bench-peers.ts';
import { benchQuery } from './query/bench-query.ts';
import { benchStart } from './start/bench-start.ts';
import { renderTable } from './report.ts';
import { describeMachine, save } from './save.ts';
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
  }
}
