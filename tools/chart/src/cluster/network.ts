import type { Commands } from './commands.ts';
import { clientsPod } from './clients.ts';
import { releaseName } from './release.ts';

/** Milliseconds after which a connection counts as denied: a policy drops its packets without a response. */
const deniedAfterMs = 3000;

const of = (component: string) =>
  `${component === 'ingestion' ? 'statefulset' : 'deployment'}/${releaseName}-${component}`;

/** A connection between pods, and whether the network policies of a demo allow it. */
export interface Connection {
  from: string;
  to: string;
  port: number;
  allowed: boolean;
}

/** Each server that denies one client allows another one, so that a stopped server does not look like a denial. */
export const connections: readonly Connection[] = [
  { from: of('query'), to: 'dynamodb', port: 8000, allowed: true },
  { from: of('query'), to: 'registry', port: 8080, allowed: true },
  { from: of('query'), to: 'broker', port: 1883, allowed: false },
  { from: of('query'), to: 'registry', port: 9464, allowed: false },
  { from: of('ingestion'), to: 'broker', port: 1883, allowed: true },
  { from: of('ingestion'), to: 'dynamodb', port: 8000, allowed: true },
  { from: of('catalog'), to: 'broker', port: 1883, allowed: false },
  { from: of('registry'), to: 'broker', port: 1883, allowed: false },
  { from: clientsPod, to: 'broker', port: 1883, allowed: true },
  { from: clientsPod, to: 'query', port: 8080, allowed: true },
  { from: clientsPod, to: 'dynamodb', port: 8000, allowed: false },
  { from: clientsPod, to: 'query', port: 9464, allowed: false },
];

const script = `
const socket = require('node:net').connect({ host: process.argv[1], port: Number(process.argv[2]) });
const end = (word) => { console.log(word); process.exit(0); };
socket.on('connect', () => end('connected'));
socket.on('error', (error) => end(error.code));
setTimeout(() => end('denied'), Number(process.argv[3]));
`;

/**
 * Tries each connection from its pod.
 * @throws Error that names the connections that differ from the policies
 */
export async function tryConnections(commands: Commands): Promise<void> {
  const tried = await Promise.all(
    connections.map(async ({ from, to, port, allowed }) => {
      const address = [`${releaseName}-${to}`, String(port), String(deniedAfterMs)];
      const command = ['node', '--eval', script, '--', ...address];
      const found = (await commands.kubectl(['exec', from, '--', ...command])).trim();
      const wanted = allowed ? 'connected' : 'denied';
      return found === wanted ? [] : [`${from} to ${to}:${port}: ${found}, not ${wanted}`];
    }),
  );
  const wrong = tried.flat();
  if (wrong.length > 0) throw new Error(`network policies:\n${wrong.join('\n')}`);
}
