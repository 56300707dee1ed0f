import { chartFolder } from '../chart-folder.ts';
import type { Commands } from './commands.ts';
import { CommandFailure } from './commands.ts';
import { timeout } from './release.ts';

const name = 'outside-engawa';
/** The Deployment of a broker that is not part of a release. */
export const outsideBroker = `${name}-broker`;

/** Values of a release whose broker and table are not its own. */
export const outsideValues = [
  'table.name=outside',
  `aws.endpoint=http://${name}-dynamodb:8000`,
  'aws.region=local',
  'aws.existingSecret=outside',
  `mqtt.url=mqtt://${outsideBroker}:1883`,
  'auth.mode=none',
];

/** Starts a broker and a DynamoDB API that outlive the release: those of the chart's demo, applied separately. */
export async function startOutside(commands: Commands): Promise<void> {
  const parts = ['broker', 'dynamodb'];
  const shown = parts.flatMap((part) => ['--show-only', `templates/demo/${part}.yaml`]);
  // Without a cluster, Helm assumes a version of Kubernetes that the chart rejects.
  const values = ['--set', 'demo.enabled=true', '--kube-version=1.28.0'];
  const objects = await commands.helm(['template', 'outside', chartFolder, ...values, ...shown]);
  await commands.kubectl(['apply', '--filename=-'], objects);
  const keys = ['--from-literal=AWS_ACCESS_KEY_ID=any', '--from-literal=AWS_SECRET_ACCESS_KEY=any'];
  await commands.kubectl(['create', 'secret', 'generic', 'outside', ...keys]);
  for (const part of parts)
    await commands.kubectl(['rollout', 'status', `deployment/${name}-${part}`, timeout]);
}

/** @throws Error when the upgrade does not fail */
export async function failToUpgrade(upgrade: () => Promise<unknown>): Promise<void> {
  try {
    await upgrade();
  } catch (error) {
    if (error instanceof CommandFailure) return;
    throw error;
  }
  throw new Error('an upgrade whose table Job fails has succeeded');
}
