import { chartFolder } from '../chart-folder.ts';
import type { Commands } from './commands.ts';
import type { ClusterOptions } from './options.ts';

/** The name of the release that the test installs. */
export const releaseName = 'engawa';
export const timeout = '--timeout=5m';

/** A release of the chart in the test's namespace, with values that all its commands share. */
export class Release {
  readonly #commands: Commands;
  readonly #options: ClusterOptions;
  readonly #values: readonly string[];

  /** @param values as `--set` takes them */
  constructor(commands: Commands, options: ClusterOptions, values: readonly string[]) {
    this.#commands = commands;
    this.#options = options;
    this.#values = values;
  }

  install(): Promise<string> {
    return this.#apply('install', []);
  }

  /** @param changes values beside those of the release, as `--set` takes them */
  upgrade(...changes: string[]): Promise<string> {
    return this.#apply('upgrade', changes);
  }

  /** The same with a timeout in seconds. */
  upgradeWithin(seconds: number, ...changes: string[]): Promise<string> {
    return this.#apply('upgrade', changes, `--timeout=${seconds}s`);
  }

  rollBack(revision: number): Promise<string> {
    return this.#commands.helm(['rollback', releaseName, String(revision), '--wait', timeout]);
  }

  uninstall(): Promise<string> {
    return this.#commands.helm(['uninstall', releaseName, '--wait', timeout]);
  }

  test(): Promise<string> {
    return this.#commands.helm(['test', releaseName, timeout]);
  }

  /** Replaces all pods of the services. */
  async restart(): Promise<void> {
    const services = 'app.kubernetes.io/component in (ingestion,registry,query,catalog)';
    const listing = ['get', 'deployment,statefulset', `--selector=${services}`, '--output=name'];
    const workloads = (await this.#commands.kubectl(listing)).trim().split('\n');
    await this.#commands.kubectl(['rollout', 'restart', ...workloads]);
    await this.ready(workloads);
  }

  /** Waits until workloads, such as `deployment/engawa-query`, have all their replicas. */
  async ready(workloads: readonly string[]): Promise<void> {
    for (const workload of workloads)
      await this.#commands.kubectl(['rollout', 'status', workload, timeout]);
  }

  #apply(
    command: 'install' | 'upgrade',
    changes: readonly string[],
    limit = timeout,
  ): Promise<string> {
    const { image, valuesFile } = this.#options;
    // Tags are strings, also when they look like numbers.
    const texts = image ? [`image.repository=${image.repository}`, `image.tag=${image.tag}`] : [];
    return this.#commands.helm([
      command,
      releaseName,
      chartFolder,
      ...(valuesFile === undefined ? [] : ['--values', valuesFile]),
      ...texts.flatMap((text) => ['--set-string', text]),
      ...[...this.#values, ...changes].flatMap((setting) => ['--set', setting]),
      '--wait',
      limit,
    ]);
  }
}
