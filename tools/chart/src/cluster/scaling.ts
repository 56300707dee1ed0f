import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';
import { releaseName } from './release.ts';
import type { Release } from './release.ts';

/** Maximum milliseconds for the autoscaler, which evaluates metrics of the last minute every 15 s. */
const timeoutMs = 240_000;

const query = `deployment/${releaseName}-query`;
const registry = `deployment/${releaseName}-registry`;
/** Low enough that the test's clients overload one replica. */
export const autoscaledQuery = [
  'query.autoscaling.enabled=true',
  'query.autoscaling.minReplicas=1',
  'query.autoscaling.maxReplicas=3',
  'query.autoscaling.cpuPercent=5',
  // Otherwise clients with persistent connections would stay at their replica.
  'defaults.settings.MAX_CONNECTION_AGE_MS=5000',
];
/** The chart sets no number of replicas: the operator scales by hand. */
export const scaledByHand = ['registry.replicas=null'];

async function replicasOf(commands: Commands, workload: string): Promise<number> {
  return Number(await commands.kubectl(['get', workload, '--output=jsonpath={.spec.replicas}']));
}

/** Waits until the autoscaler has added replicas of query, and each of them answers requests. */
export async function untilScaledOut(commands: Commands): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const requests = await requestsPerReplica(commands);
    if (requests.length >= 3 && requests.every((count) => count > 0)) return;
    if (Date.now() > deadline)
      throw new Error(
        `after ${timeoutMs / 1000} s replicas of query have answered ${requests.join(', ')} requests`,
      );
    await sleep(2000);
  }
}

const script = `
const text = await (await fetch('http://127.0.0.1:9464/metrics')).text();
const lines = text.split('\\n').filter((line) => line.startsWith('http_server_request_duration_seconds_count{'));
console.log(lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0));
`;

/** Number of responses of each ready replica of query. */
async function requestsPerReplica(commands: Commands): Promise<number[]> {
  const component = `app.kubernetes.io/instance=${releaseName},app.kubernetes.io/component=query`;
  const ready =
    '{range .items[?(@.status.containerStatuses[0].ready==true)]}{.metadata.name}{"\\n"}';
  const listing = ['get', 'pods', `--selector=${component}`, `--output=jsonpath=${ready}{end}`];
  const pods = (await commands.kubectl(listing)).trim().split('\n').filter(Boolean);
  const command = ['node', '--input-type=module', '--eval', script];
  const asked = pods.map((pod) => commands.kubectl(['exec', pod, '--', ...command]));
  // A pod that is terminating has no metrics.
  const told = (await Promise.allSettled(asked)).filter((one) => one.status === 'fulfilled');
  return told.map(({ value }) => Number(value));
}

/**
 * Scales registry manually to three replicas, upgrades, and checks both numbers of replicas: Helm 4
 * applies on the server's side, where an upgrade with `replicas` takes the field from its owner or
 * fails with a conflict.
 */
export async function upgradeWhatIsScaled(
  commands: Commands,
  release: Release,
  values: readonly string[],
): Promise<void> {
  await commands.kubectl(['scale', registry, '--replicas=3']);
  await release.ready([registry]);
  const before = await replicasOf(commands, query);
  await release.upgrade(...values, 'defaults.settings.LOG_LEVEL=debug');
  const after = [await replicasOf(commands, registry), await replicasOf(commands, query)];
  // The autoscaler may act meanwhile, but only scales up under the same load.
  if (after[0] !== 3 || (after[1] ?? 0) < before)
    throw new Error(
      `an upgrade changed replicas: registry 3 → ${after[0]}, query ${before} → ${after[1]}`,
    );
}
