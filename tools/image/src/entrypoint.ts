import process from 'node:process';
import { traceSources } from './source-positions.ts';

traceSources();

const given = process.argv.slice(2);
const [name = '', ...args] = given;

/** What has an end: Kubernetes takes a Job that ends with 0 for done. */
const tasks = ['rollup', 'shrink', 'table'];

/**
 * The first process of a container gets no signal that it does not listen to. What is run here
 * listens itself once it is loaded; whenever nothing else does, this ends the process.
 */
const endAtOnce = (signal: NodeJS.Signals): void => {
  if (process.listenerCount(signal) === 1) process.exit(tasks.includes(name) ? 1 : 0);
};
process.on('SIGTERM', endAtOnce).on('SIGINT', endAtOnce);

const { runService, runTask } = await import('@engawa/service');

/** What an image of Engawa can be, by the first argument of the container; only the simulator of a demo takes more. */
const commands = new Map<string, (args: string[]) => Promise<void>>([
  ['ingestion', () => runService('ingestion', () => import('@engawa/ingestion'))],
  ['registry', () => runService('registry', () => import('@engawa/registry'))],
  ['query', () => runService('query', () => import('@engawa/query'))],
  ['catalog', () => runService('catalog', () => import('@engawa/catalog'))],
  ['console', () => runService('console', () => import('@engawa/console'))],
  ['rollup', () => runTask('rollup', () => import('@engawa/query/rollup'))],
  ['shrink', () => runTask('shrink', () => import('@engawa/registry/shrink'))],
  ['table', () => runTask('table', () => import('@engawa/table/command'))],
  ['simulator', async (args) => (await import('@engawa/simulator/command')).simulate(args)],
]);

const run = args.length === 0 || name === 'simulator' ? commands.get(name) : undefined;
if (run === undefined) {
  const what = given.length === 0 ? 'nothing' : `"${given.join(' ')}"`;
  const names = [...commands.keys()].join(', ');
  console.error(`engawa: ${what} cannot be run; the one argument is one of ${names}`);
  process.exit(1);
}
await run(args);
