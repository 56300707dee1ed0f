import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IEnvVar } from 'kubernetes-models/v1/EnvVar';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IPodTemplateSpec } from 'kubernetes-models/v1/PodTemplateSpec';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { render } from '../src/helm.ts';
import type { KubernetesObject, ReleaseArguments } from '../src/helm.ts';

/** The services with an API. */
export const services = ['ingestion', 'registry', 'query', 'catalog'] as const;
/** With the console. */
export const servers = [...services, 'console'] as const;
export type Service = (typeof services)[number];

/** The pod template of an object. */
export interface PodTemplate {
  owner: KubernetesObject;
  component: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  spec: IPodSpec;
  containers: readonly IContainer[];
}

/** Whether it belongs to the replicas of ingestion for readings over HTTP only. */
export const isOverHttpOnly = ({ labels }: PodTemplate): boolean =>
  labels['engawa/readings'] === 'http';

/** The name of an object in problems. */
export const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

export const componentOf = (object: KubernetesObject): string =>
  object.metadata.labels?.['app.kubernetes.io/component'] ?? '';

/** The rendered chart for a set of values, with queries. */
export class Rendered {
  readonly objects: readonly KubernetesObject[];
  readonly pods: readonly PodTemplate[];
  readonly namespace: string;

  constructor(objects: readonly KubernetesObject[], { namespace = 'home' }: ReleaseArguments = {}) {
    this.objects = objects;
    this.namespace = namespace;
    this.pods = objects.flatMap(podOf);
  }

  static of(release: ReleaseArguments): Rendered {
    return new Rendered(render(release), release);
  }

  ofKind<Kind extends { kind: string }>(...kinds: Kind['kind'][]): (Kind & KubernetesObject)[] {
    return this.objects.filter(({ kind }) => kinds.includes(kind)) as (Kind & KubernetesObject)[];
  }

  named<Kind extends { kind: string }>(
    kind: Kind['kind'],
    name: string | undefined,
  ): (Kind & KubernetesObject) | undefined {
    return this.ofKind<Kind>(kind).find(({ metadata }) => metadata.name === name);
  }

  /**
   * The pod of a component; of ingestion the subscribing one.
   * @throws Error for a component without pods
   */
  pod(component: string): PodTemplate {
    const pod = this.pods.find(
      (candidate) => candidate.component === component && !isOverHttpOnly(candidate),
    );
    if (!pod) throw new Error(`there are no pods of ${component}`);
    return pod;
  }

  has(component: string): boolean {
    return this.pods.some((pod) => pod.component === component);
  }

  /**
   * The container of a component, which may have others added by values.
   * @throws Error when there is none
   */
  container(component: string): IContainer {
    const container = this.pod(component).containers.find(({ name }) => name === component);
    if (!container) throw new Error(`the pods of ${component} have no container of that name`);
    return container;
  }

  /** The environment of a component, from its ConfigMaps and its container. */
  environment(component: string): Map<string, IEnvVar> {
    const given = new Map<string, IEnvVar>();
    const { env = [], envFrom = [] } = this.container(component);
    for (const { configMapRef } of envFrom) {
      const data = this.named<IConfigMap>('ConfigMap', configMapRef?.name)?.data ?? {};
      for (const [name, value] of Object.entries(data)) given.set(name, { name, value });
    }
    for (const variable of env) given.set(variable.name, variable);
    return given;
  }

  /**
   * The same as a process would see it; what comes from Secrets is `secrets` of its name, and what
   * from the pod its path.
   */
  processEnvironment(component: string, secrets: (name: string) => string): Record<string, string> {
    const given = [...this.environment(component).values()].map(
      ({ name, value, valueFrom }): [string, string] => [
        name,
        valueFrom?.secretKeyRef ? secrets(name) : (value ?? valueFrom?.fieldRef?.fieldPath ?? ''),
      ],
    );
    return Object.fromEntries(given);
  }
}

function podOf(owner: KubernetesObject): PodTemplate[] {
  const template = templateOf(owner);
  const labels = template?.metadata?.labels ?? {};
  if (!template?.spec) return [];
  return [
    {
      owner,
      component: labels['app.kubernetes.io/component'] ?? '',
      labels,
      annotations: template.metadata?.annotations ?? {},
      spec: template.spec,
      containers: [...(template.spec.initContainers ?? []), ...template.spec.containers],
    },
  ];
}

function templateOf(object: KubernetesObject): IPodTemplateSpec | undefined {
  if (object.kind === 'Pod') return object;
  const { spec } = object as { spec?: Templated };
  return spec?.jobTemplate?.spec?.template ?? spec?.template;
}

interface Templated {
  template?: IPodTemplateSpec;
  jobTemplate?: { spec?: Templated };
}
