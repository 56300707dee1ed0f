import type { Commands } from './commands.ts';

/** State for diagnosing a failed start: pods, events, and the end of each log. */
export async function describeClusterState(commands: Commands): Promise<string> {
  const ask = (args: string[]) =>
    commands.kubectl(args).catch((error: unknown) => `(${String(error)})`);
  const pods = (await ask(['get', 'pods', '--output=name'])).split('\n').filter(Boolean);
  const parts = [
    await ask(['get', 'pods,jobs', '--output=wide']),
    await ask(['get', 'events', '--sort-by=.lastTimestamp']),
  ];
  for (const pod of pods) {
    parts.push(`--- ${pod}\n${await ask(['logs', pod, '--all-containers', '--tail=30'])}`);
  }
  return parts.join('\n');
}
