import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { ISecret } from 'kubernetes-models/v1/Secret';
import { components, settingsOf } from '../component-settings.ts';
import { nameOf } from '../rendered.ts';
import type { Rendered } from '../rendered.ts';

/** Credentials without a setting of Engawa: those of the AWS SDK, and the user of the broker's password. */
const credentials = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'MQTT_USERNAME',
];

/** Checks that secret values occur only in Secrets. */
export function secretProblems(rendered: Rendered): string[] {
  const names = [
    ...credentials,
    ...components.flatMap((component) =>
      settingsOf(component).flatMap(({ name, secret }) => (secret ? [name] : [])),
    ),
  ];
  const inTheOpen = [
    ...rendered.ofKind<IConfigMap>('ConfigMap').flatMap((object) =>
      Object.keys(object.data ?? {})
        .filter((name) => names.includes(name))
        .map((name) => `${nameOf(object)} has ${name} in the open`),
    ),
    ...rendered.pods.flatMap(({ owner, containers }) =>
      containers
        .flatMap(({ env = [] }) => env)
        .filter(({ name, valueFrom }) => names.includes(name) && !valueFrom?.secretKeyRef)
        .map(({ name }) => `${nameOf(owner)} has ${name} in the open`),
    ),
  ];
  return [...inTheOpen, ...told(rendered)];
}

/** Values of the chart's own Secrets must not occur in other objects. */
function told(rendered: Rendered): string[] {
  const held = rendered
    .ofKind<ISecret>('Secret')
    .flatMap(({ data = {} }) => Object.values(data))
    .flatMap((value) => [value, Buffer.from(value, 'base64').toString()]);
  return rendered.objects
    .filter(({ kind }) => kind !== 'Secret')
    .filter((object) => held.some((value) => JSON.stringify(object).includes(value)))
    .map((object) => `${nameOf(object)} tells a secret`);
}
