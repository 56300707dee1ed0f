import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker } from './docker.ts';
import { dataOf, environmentOf } from './pod.ts';
import type { KubernetesObject } from '@engawa/chart/helm';
import type { Pod } from './pod.ts';

interface Service extends KubernetesObject {
  spec: { selector: Record<string, string> };
}

/**
 * Runs the pods of a render on a Docker engine, each as the chart has it: its image, command,
 * environment, user, files and memory, a root file system that cannot be written to, no
 * capabilities. Services are names on one network. What only a cluster has is not here: scheduling,
 * network policies, service accounts, replacing pods.
 */
export class Stage {
  readonly #objects: readonly KubernetesObject[];
  readonly #network: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-stage-'));
  readonly #containers: string[] = [];

  constructor(objects: readonly KubernetesObject[], name: string) {
    this.#objects = objects;
    this.#network = name;
    docker(['network', 'create', name]);
  }

  /** Starts a pod, and gives its container's name. */
  start(pod: Pod): string {
    const container = `${this.#network}-${pod.name}`;
    const [{ image, command = [], args = [], resources }] = pod.spec.containers;
    const { runAsUser, runAsGroup } = pod.spec.securityContext;
    const [entrypoint, ...first] = command;
    this.#containers.push(container);
    docker([
      ...['run', '--detach', '--name', container, '--hostname', pod.name],
      ...['--network', this.#network, ...this.#aliases(pod)],
      ...['--user', `${runAsUser}:${runAsGroup}`, '--read-only', '--cap-drop', 'ALL'],
      ...['--security-opt', 'no-new-privileges', '--memory', bytes(resources.limits.memory)],
      ...this.#environment(pod),
      ...this.#volumes(pod),
      ...(entrypoint === undefined ? [] : ['--entrypoint', entrypoint]),
      image,
      ...first,
      ...args,
    ]);
    return container;
  }

  /** Waits for the end of a pod, and gives its exit code. */
  end(container: string): number {
    return Number(docker(['wait', container]));
  }

  /** What is not as in the image, apart from the folders where volumes are. */
  changedFiles(container: string): string[] {
    const format = '{{json .HostConfig.Tmpfs}}';
    const mounts = Object.keys(
      (JSON.parse(docker(['inspect', '--format', format, container])) ?? {}) as object,
    );
    // A line of `docker diff` is a kind of change (A, C or D), a space and the path.
    return docker(['diff', container])
      .split('\n')
      .filter((line) => line !== '')
      .filter((line) => !mounts.some((mount) => `${mount}/`.startsWith(`${line.slice(2)}/`)));
  }

  addressOf(container: string): string {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return docker(['inspect', '--format', format, container]);
  }

  /** Removes all that was started. */
  close(): void {
    if (this.#containers.length > 0) docker(['rm', '--force', '--volumes', ...this.#containers]);
    docker(['network', 'rm', this.#network]);
    rmSync(this.#folder, { recursive: true });
  }

  #aliases({ labels }: Pod): string[] {
    const services = this.#objects.filter(({ kind }) => kind === 'Service') as Service[];
    return services
      .filter(({ spec }) =>
        Object.entries(spec.selector).every(([key, value]) => labels[key] === value),
      )
      .flatMap(({ metadata }) => ['--network-alias', metadata.name]);
  }

  #environment(pod: Pod): string[] {
    const environment = environmentOf(pod, this.#objects);
    return Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  }

  #volumes({ name: podName, spec }: Pod): string[] {
    const [{ volumeMounts = [] }] = spec.containers;
    return volumeMounts.flatMap(({ name, mountPath }) => {
      const volume = spec.volumes?.find((candidate) => candidate.name === name);
      if (volume?.emptyDir !== undefined) return ['--tmpfs', `${mountPath}:exec,mode=1777`];
      if (volume?.configMap === undefined) throw new Error(`no volume ${name} in ${podName}`);
      const folder = join(this.#folder, podName, name);
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const data = dataOf(this.#objects, 'ConfigMap', volume.configMap.name);
      for (const [file, text] of Object.entries(data)) writeFileSync(join(folder, file), text);
      return ['--volume', `${folder}:${mountPath}:ro`];
    });
  }
}

/** `256Mi` as Docker has it. */
function bytes(quantity: string): string {
  return quantity.replace(/i$/, '').toLowerCase();
}
