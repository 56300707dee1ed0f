import type { KubernetesObject } from '@engawa/chart/helm';

/** What of a rendered container is looked at here. */
export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: EnvironmentVariable[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  resources: { limits: { memory: string } };
  readinessProbe?: { httpGet?: { path: string; port: string } };
  volumeMounts?: { name: string; mountPath: string }[];
}

interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string };
    fieldRef?: { fieldPath: 'metadata.name' | 'metadata.namespace' };
  };
}

export interface PodSpec {
  securityContext: { runAsUser: number; runAsGroup: number };
  containers: [Container];
  volumes?: { name: string; configMap?: { name: string }; emptyDir?: object }[];
}

export interface Pod {
  name: string;
  namespace: string;
  /** By which its Services find it. */
  labels: Record<string, string>;
  spec: PodSpec;
}

interface Workload extends KubernetesObject {
  spec: { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } };
}

interface Configured extends KubernetesObject {
  data: Record<string, string>;
}

/** The pods of a render: one of each workload and Job, and each Pod. */
export function podsOf(objects: readonly KubernetesObject[]): (Pod & { kind: string })[] {
  return objects.flatMap((object) => {
    const { name, namespace = 'default', labels = {} } = object.metadata;
    switch (object.kind) {
      case 'Deployment':
      case 'StatefulSet':
      case 'Job': {
        const { template } = (object as Workload).spec;
        const pod = { name: `${name}-0`, namespace, labels: template.metadata.labels };
        return [{ ...pod, kind: object.kind, spec: template.spec }];
      }
      case 'Pod':
        return [{ name, namespace, kind: 'Pod', labels, spec: (object as unknown as Pod).spec }];
      default:
        return [];
    }
  });
}

/** A container's environment as the kubelet builds it. @throws Error if a referenced object is missing */
export function environmentOf(
  { name: podName, namespace, spec }: Pod,
  objects: readonly KubernetesObject[],
): Record<string, string> {
  const [{ envFrom = [], env = [] }] = spec.containers;
  const environment: Record<string, string> = {};
  for (const { configMapRef } of envFrom) {
    Object.assign(environment, dataOf(objects, 'ConfigMap', configMapRef.name));
  }
  for (const { name, value, valueFrom } of env) {
    const { secretKeyRef, fieldRef } = valueFrom ?? {};
    if (secretKeyRef !== undefined) {
      const data = dataOf(objects, 'Secret', secretKeyRef.name);
      environment[name] = Buffer.from(data[secretKeyRef.key] ?? '', 'base64').toString();
    } else if (fieldRef !== undefined) {
      environment[name] = fieldRef.fieldPath === 'metadata.name' ? podName : namespace;
    } else {
      environment[name] = expanded(value ?? '', environment);
    }
  }
  return environment;
}

/** `$(NAME)` stands for a variable that was set before; one that was not stays as it is. */
function expanded(value: string, environment: Record<string, string>): string {
  return value.replaceAll(/\$\((\w+)\)/g, (whole, name: string) => environment[name] ?? whole);
}

export function dataOf(
  objects: readonly KubernetesObject[],
  kind: 'ConfigMap' | 'Secret',
  name: string,
): Record<string, string> {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return (found as Configured).data;
}
