import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '../src/helm.ts';

/** Kinds of the chart's default objects by API version, as Helm requests them. */
const kinds: Record<string, string[]> = {
  v1: ['ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'Pod'],
  'apps/v1': ['Deployment', 'StatefulSet'],
  'batch/v1': ['CronJob', 'Job'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
};
const plural = (kind: string) => kind.toLowerCase().replace(/y$/, 'ie') + 's';

/** The part of a Kubernetes API that `helm install` uses: kinds, existing objects, and creation. */
export class FakeCluster {
  readonly kubeconfig: string;
  /** Existing and created objects. */
  readonly objects: KubernetesObject[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-kubeconfig-'));
  readonly #server: Server;

  private constructor(objects: readonly KubernetesObject[]) {
    this.objects = [...objects];
    this.kubeconfig = join(this.#folder, 'config');
    this.#server = createServer((request, response) => {
      this.#answer(request).then(
        (body) => {
          response.writeHead(body === undefined ? 404 : 200, json);
          response.end(JSON.stringify(body ?? notFound));
        },
        // A body that is not JSON gets an error, so that no client waits without limit.
        (error: unknown) => response.writeHead(415, json).end(JSON.stringify(String(error))),
      );
    });
  }

  static async start(objects: readonly KubernetesObject[]): Promise<FakeCluster> {
    const cluster = new FakeCluster(objects);
    cluster.#server.listen(0, '127.0.0.1');
    await once(cluster.#server, 'listening');
    const { port } = cluster.#server.address() as AddressInfo;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'fake', cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
      users: [{ name: 'fake', user: {} }],
      'current-context': 'fake',
    };
    writeFileSync(cluster.kubeconfig, JSON.stringify(config), { mode: 0o600 });
    return cluster;
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage): Promise<object | undefined> {
    const path = request.url?.split('?')[0] ?? '';
    if (request.method === 'GET') return discovery(path) ?? this.#found(path);
    const object = JSON.parse(await text(request)) as KubernetesObject;
    if (request.method === 'POST') this.objects.push(object);
    return { ...this.#found(path), ...object };
  }

  #found(path: string): object | undefined {
    return this.objects.find(({ kind, metadata }) =>
      path.endsWith(`/namespaces/${metadata.namespace ?? ''}/${plural(kind)}/${metadata.name}`),
    );
  }
}

const json = { 'Content-Type': 'application/json' };
const notFound = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
};

function discovery(path: string): object | undefined {
  if (path === '/version') return { major: '1', minor: '34', gitVersion: 'v1.34.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() };
  const version = path.replace(/^\/apis?\//, '');
  const listed = kinds[version];
  if (!listed) return undefined;
  return { kind: 'APIResourceList', groupVersion: version, resources: listed.map(resource) };
}

function groups(): object[] {
  return Object.keys(kinds)
    .filter((groupVersion) => groupVersion.includes('/'))
    .map((groupVersion) => {
      const [name, version] = groupVersion.split('/');
      const one = { groupVersion, version };
      return { name, versions: [one], preferredVersion: one };
    });
}

function resource(kind: string): object {
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update'];
  return { name: plural(kind), singularName: kind.toLowerCase(), namespaced: true, kind, verbs };
}
