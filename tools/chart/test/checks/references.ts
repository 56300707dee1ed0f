import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IProbe } from 'kubernetes-models/v1/Probe';
import type { ISecret } from 'kubernetes-models/v1/Secret';
import type { IService } from 'kubernetes-models/v1/Service';
import type { KubernetesObject } from '../../src/helm.ts';
import { componentOf, nameOf } from '../rendered.ts';
import type { PodTemplate, Rendered } from '../rendered.ts';

/** Paths that libs/http serves on the metrics port. */
export const probePaths = ['/livez', '/readyz', '/metrics'];

/** References to objects that are not rendered. `given` are names of the user's own Secrets, set in the values. */
export function referenceProblems(rendered: Rendered, given: readonly string[]): string[] {
  return [
    ...rendered.ofKind<IService>('Service').flatMap((one) => serviceProblems(one, rendered)),
    ...rendered
      .ofKind<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler')
      .flatMap((one) => targetProblems(one, rendered)),
    ...rendered.ofKind<IStatefulSet>('StatefulSet').flatMap((one) => {
      const service = rendered.named<IService>('Service', one.spec?.serviceName);
      const isHeadless =
        service?.spec?.clusterIP === 'None' && componentOf(service) === componentOf(one);
      return isHeadless
        ? []
        : [`${nameOf(one)} has no headless Service ${one.spec?.serviceName ?? ''}`];
    }),
    ...rendered.pods.flatMap((pod) => podProblems(pod, rendered, given)),
  ];
}

function serviceProblems(
  service: IService & { metadata: { name: string } },
  rendered: Rendered,
): string[] {
  const component = componentOf(service);
  const ports = rendered.pods
    .filter((pod) => pod.component === component)
    .flatMap(({ containers }) => containers.flatMap((container) => container.ports ?? []));
  return (service.spec?.ports ?? []).flatMap(({ port, targetPort }) => {
    const target = ports.find(({ name }) => name === targetPort);
    return target?.containerPort === port
      ? []
      : [`Service ${service.metadata.name} leads to no port ${String(targetPort)} with ${port}`];
  });
}

function targetProblems(
  { metadata, spec }: IHorizontalPodAutoscaler & { metadata: { name: string } },
  rendered: Rendered,
): string[] {
  const target = rendered.objects.find(
    (object) =>
      object.apiVersion === spec.scaleTargetRef.apiVersion &&
      object.kind === spec.scaleTargetRef.kind &&
      object.metadata.name === spec.scaleTargetRef.name,
  ) as { spec?: { replicas?: number } } | undefined;
  const who = `HorizontalPodAutoscaler ${metadata.name}`;
  if (!target) return [`${who} has no target`];
  // Each upgrade would reset the replicas.
  return target.spec?.replicas === undefined ? [] : [`${who} shares its replicas with its target`];
}

function podProblems(pod: PodTemplate, rendered: Rendered, given: readonly string[]): string[] {
  const account = pod.spec.serviceAccountName;
  const hasKeys = (kind: 'Secret' | 'ConfigMap', name = '', keys: string[] = []) => {
    if (kind === 'Secret' && given.includes(name)) return true;
    const object = rendered.named<ISecret | IConfigMap>(kind, name);
    return object !== undefined && keys.every((key) => key in (object.data ?? {}));
  };
  const isThere = [
    [
      `service account ${account ?? ''}`,
      account === undefined || rendered.named('ServiceAccount', account),
    ],
    ...(pod.spec.volumes ?? []).flatMap(({ name, secret, configMap }) => [
      [`Secret of volume ${name}`, !secret || hasKeys('Secret', secret.secretName)],
      [`ConfigMap of volume ${name}`, !configMap || hasKeys('ConfigMap', configMap.name)],
    ]),
    ...(pod.spec.imagePullSecrets ?? []).map(({ name }) => [
      `Secret ${name ?? ''}`,
      hasKeys('Secret', name),
    ]),
    ...pod.containers.flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ configMapRef }) => [
        `ConfigMap ${configMapRef?.name ?? ''}`,
        configMapRef?.optional === true || hasKeys('ConfigMap', configMapRef?.name),
      ]),
      ...env.map(({ name, valueFrom }) => {
        const reference = valueFrom?.secretKeyRef;
        return [
          `Secret of ${name}`,
          !reference || hasKeys('Secret', reference.name, [reference.key]),
        ];
      }),
    ]),
    ...pod.containers.flatMap((container) => containerReferences(container, pod)),
    ...(pod.spec.volumes ?? []).map(({ name }) => [
      `use for volume ${name}`,
      pod.containers.some(({ volumeMounts = [] }) => volumeMounts.some((one) => one.name === name)),
    ]),
  ] as [string, unknown][];
  isThere.push(...earlyAccount(pod, rendered));
  return isThere
    .filter(([, found]) => !found)
    .map(([what]) => `${nameOf(pod.owner)} has no ${what}`);
}

/** A Job that runs before the release needs its account before that. */
function earlyAccount({ owner, spec }: PodTemplate, rendered: Rendered): [string, boolean][] {
  const hookOf = (object?: KubernetesObject) => object?.metadata.annotations?.['helm.sh/hook'];
  if (!hookOf(owner)?.startsWith('pre-')) return [];
  const account = rendered.named('ServiceAccount', spec.serviceAccountName);
  const weightOf = (object?: KubernetesObject) =>
    Number(object?.metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
  const isEarly = hookOf(account) === hookOf(owner) && weightOf(account) < weightOf(owner);
  return [['service account before it', isEarly]];
}

function containerReferences(container: IContainer, pod: PodTemplate): [string, boolean][] {
  const { startupProbe, livenessProbe, readinessProbe, ports = [], volumeMounts = [] } = container;
  const volumes = (pod.spec.volumes ?? []).map(({ name }) => name);
  const probes = [startupProbe, livenessProbe, readinessProbe].filter(
    (probe) => probe !== undefined,
  );
  return [
    ...volumeMounts.map(({ name }): [string, boolean] => [
      `volume ${name}`,
      volumes.includes(name),
    ]),
    ...probes.map((probe): [string, boolean] => [
      `probe ${JSON.stringify(probe)}`,
      canBeAsked(probe, ports),
    ]),
  ];
}

function canBeAsked(
  { httpGet, tcpSocket }: IProbe,
  ports: NonNullable<IContainer['ports']>,
): boolean {
  const port = httpGet?.port ?? tcpSocket?.port;
  const isPort = ports.some(({ name }) => name === port);
  return isPort && (!httpGet || (port === 'metrics' && probePaths.includes(httpGet.path ?? '')));
}
