import { Commands } from './commands.ts';
import { help, parseOptions, UsageError } from './options.ts';
import { Scenario } from './scenario.ts';
import type { ClusterOptions } from './options.ts';

/** A namespace that rejects pods which violate the restricted Pod Security Standard. */
const namespaceOf = (name: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });

async function test(options: ClusterOptions): Promise<void> {
  const { namespace, helm, keep } = options;
  const commands = new Commands(namespace, helm);
  const print = (line: string) => console.log(line);
  print(`creating the namespace ${namespace} …`);
  // Not `apply`: an existing namespace is not the test's own, and would be deleted at the end.
  await commands.kubectl(['create', '--filename=-'], namespaceOf(namespace));
  try {
    await new Scenario(commands, options, print).play();
  } catch (error) {
    print(`failed: ${String(error)}\n${await describeClusterState(commands)}`);
    throw error;
  } finally {
    if (keep) print(`leaving the namespace ${namespace} as it is (--keep)`);
    else {
      print(`deleting the namespace ${namespace} …`);
      await commands.kubectl(['delete', 'namespace', namespace, '--timeout=5m']);
    }
  }
  print('passed: after each step every reading was stored exactly once');
}

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options === 'help') console.log(help);
  else await test(options);
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`test:cluster: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = isUsage ? 2 : 1;
}

/** State for diagnosing a failed start: pods, events, and the end of each log. */
async function describeClusterState(commands: Commands): Promise<string> {
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
