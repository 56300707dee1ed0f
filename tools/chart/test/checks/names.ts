import type { IContainer } from 'kubernetes-models/v1/Container';
import type { KubernetesObject } from '../../src/helm.ts';
import { nameOf } from '../rendered.ts';
import type { Rendered } from '../rendered.ts';

/** RFC 1123; a Service's name has to begin with a letter as well (RFC 1035), up to Kubernetes 1.34. */
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const serviceName = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const labelName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * Names that Kubernetes derives must fit 63 characters, too: it appends a time to names of a
 * CronJob's Jobs, and a hash to the revision of a StatefulSet (which is a label).
 */
const longest: Readonly<Record<string, number>> = {
  ConfigMap: 253,
  Secret: 253,
  CronJob: 52,
  StatefulSet: 52,
  // Kubernetes cuts the names of its pods, not that of its ReplicaSet.
  Deployment: 63,
};
const names: Readonly<Record<string, RegExp>> = {
  ConfigMap: subdomain,
  Secret: subdomain,
  Service: serviceName,
};

export function nameProblems({ objects, pods, namespace }: Rendered): string[] {
  const seen = new Set<string>();
  const ofObjects = objects.flatMap((object) => {
    const { kind, metadata } = object;
    const name = `${kind}/${metadata.name}`;
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(isRepeated ? ['is there twice'] : []),
      ...(metadata.namespace === namespace
        ? []
        : [`is in namespace ${metadata.namespace ?? 'none'}`]),
      ...(metadata.name.length <= (longest[kind] ?? 63) ? [] : ['has too long a name']),
      ...((names[kind] ?? label).test(metadata.name) ? [] : ['has a name that is not valid']),
      ...labelProblems(object),
      ...Object.keys(metadata.annotations ?? {})
        .filter((key) => !labelName.test(key))
        .map((key) => `has an annotation ${key}`),
    ].map((problem) => `${nameOf(object)} ${problem}`);
  });
  const ofPods = pods.flatMap(({ owner, labels, containers }) =>
    [
      ...labelProblems({ ...owner, metadata: { ...owner.metadata, labels } }),
      ...containers.flatMap(containerProblems),
    ].map((problem) => `pods of ${nameOf(owner)} ${problem}`),
  );
  return [...ofObjects, ...ofPods];
}

function labelProblems({ metadata }: KubernetesObject): string[] {
  return Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    const isGood = labelName.test(key) && labelValue.test(value) && value.length <= 63;
    return isGood ? [] : [`has a label ${key}: ${value}`];
  });
}

/** Names of containers, and of their ports (RFC 6335: 15 characters, at least one of a to z). */
function containerProblems({ name, ports = [] }: IContainer): string[] {
  const wrong = ports.filter(
    (port) => !/^(?=.*[a-z])[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/.test(port.name ?? ''),
  );
  return [
    ...(label.test(name) && name.length <= 63 ? [] : [`has a container ${name}`]),
    ...wrong.map((port) => `has a port ${port.name ?? 'without name'}`),
  ];
}
