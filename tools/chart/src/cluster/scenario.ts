import { chartFolder } from '../chart-folder.ts';
import { Clients } from './clients.ts';
import type { Commands } from './commands.ts';
import { untilNothingIsLeft } from './leftovers.ts';
import type { ClusterOptions } from './options.ts';
import { linesOf, makeReadings, topic, untilExactly } from './readings.ts';
import type { Reading } from './readings.ts';

const release = 'engawa';
const timeout = '--timeout=5m';
/** Of what answers requests, so that one answers while the other is replaced. */
const twoReplicas = ['query.replicas=2', 'registry.replicas=2'];

interface PodList {
  items: { spec: { containers: { name: string; image: string }[] } }[];
}

/** The steps of the test, which share a namespace and what has been published so far. */
export class Scenario {
  readonly #commands: Commands;
  readonly #options: ClusterOptions;
  readonly #print: (line: string) => void;
  readonly #start = new Date();
  readonly #published: Reading[] = [];

  constructor(commands: Commands, options: ClusterOptions, print: (line: string) => void) {
    this.#commands = commands;
    this.#options = options;
    this.#print = print;
  }

  async play(): Promise<void> {
    await this.#step('installing the chart as a demo', () => this.#helm('install'));
    await this.#step('publishing 100 readings', () => this.#publish(100));
    await this.#ask();
    await this.#step('helm test', () => this.#commands.helm(['test', release, timeout]));
    const changed = ['ingestion.replicas=2', 'mqtt.group=engawa'];
    await this.#step(`upgrading to ${changed.join(' and ')} while readings come in`, () =>
      this.#whilePublishing(() => this.#helm('upgrade', ...changed)),
    );
    await this.#ask();
    await this.#replacePodsUnderRequests(changed);
    await this.#ask();
    await this.#step('rolling back to one replica while readings come in', () =>
      this.#whilePublishing(() => this.#rollBack(1)),
    );
    await this.#ask();
    await this.#step('uninstalling', () =>
      this.#commands.helm(['uninstall', release, '--wait', timeout]),
    );
    await this.#step('looking for what is left', () => untilNothingIsLeft(this.#commands, release));
  }

  /** Two replicas of each service are replaced three times; no request of any client may fail meanwhile. */
  async #replacePodsUnderRequests(values: readonly string[]): Promise<void> {
    const clients = await this.#step('starting clients', () => this.#startClients());
    const steps: [string, () => Promise<unknown>][] = [
      ['upgrading', () => this.#helm('upgrade', ...values, 'defaults.settings.LOG_LEVEL=debug')],
      ['restarting', () => this.#restart()],
      ['rolling back', () => this.#rollBack(2)],
    ];
    for (const [what, work] of steps) {
      await this.#step(`${what} under requests of four clients`, async () => {
        await Promise.all([work(), clients.moreAnswers(100)]);
        await clients.moreAnswers(100);
      });
    }
    await this.#step('looking for requests that failed', () => clients.stop());
  }

  async #startClients(): Promise<Clients> {
    const pods = await this.#commands.kubectl(['get', 'pods', '--output=json']);
    const image = imageOfIngestion(JSON.parse(pods) as PodList);
    const at = (service: string, path: string) => `http://${release}-${service}:8080${path}`;
    return Clients.start(this.#commands, image, [
      { name: 'kept GET', method: 'GET', kept: true, url: at('query', '/v1/hot-partitions') },
      { name: 'new GET', method: 'GET', kept: false, url: at('registry', '/v1/devices?limit=1') },
      { name: 'kept POST', method: 'POST', kept: true, url: at('ingestion', '/v1/readings') },
      { name: 'new POST', method: 'POST', kept: false, url: at('ingestion', '/v1/readings') },
    ]);
  }

  async #restart(): Promise<void> {
    const workloads = (
      await this.#commands.kubectl([
        'get',
        'deployment,statefulset',
        '--selector=app.kubernetes.io/component in (ingestion,registry,query,catalog)',
        '--output=name',
      ])
    )
      .trim()
      .split('\n');
    await this.#commands.kubectl(['rollout', 'restart', ...workloads]);
    for (const workload of workloads)
      await this.#commands.kubectl(['rollout', 'status', workload, timeout]);
  }

  #rollBack(revision: number): Promise<string> {
    return this.#commands.helm(['rollback', release, String(revision), '--wait', timeout]);
  }

  async #step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#print(`${what} …`);
    const before = Date.now();
    const result = await work();
    this.#print(`  done after ${((Date.now() - before) / 1000).toFixed(1)} s`);
    return result;
  }

  #helm(command: 'install' | 'upgrade', ...changes: string[]): Promise<string> {
    const { image, valuesFile } = this.#options;
    const settings = ['demo.enabled=true', ...twoReplicas, ...changes];
    // Tags are texts, also where they look like numbers.
    const texts = image ? [`image.repository=${image.repository}`, `image.tag=${image.tag}`] : [];
    return this.#commands.helm([
      command,
      release,
      chartFolder,
      ...(valuesFile === undefined ? [] : ['--values', valuesFile]),
      ...texts.flatMap((text) => ['--set-string', text]),
      ...settings.flatMap((setting) => ['--set', setting]),
      '--wait',
      timeout,
    ]);
  }

  /** By the broker's own client, in its pod, which ends once the broker has acknowledged all of them (QoS 1). */
  async #publish(count: number): Promise<void> {
    const readings = makeReadings(this.#published.length, count, this.#start);
    const client = ['mosquitto_pub', '-q', '1', '-t', topic, '-l'];
    const pod = `deployment/${release}-broker`;
    await this.#commands.kubectl(['exec', '-i', pod, '--', ...client], linesOf(readings));
    this.#published.push(...readings);
  }

  async #whilePublishing(work: () => Promise<unknown>): Promise<void> {
    const running = { isDone: false };
    const working = work().finally(() => (running.isDone = true));
    const publishing = async () => {
      do await this.#publish(20);
      while (!running.isDone);
    };
    await Promise.all([working, publishing()]);
  }

  #ask(): Promise<void> {
    const count = this.#published.length;
    return this.#step(`asking for all ${count} readings`, async () => {
      const query = await this.#commands.forward(`${release}-query`, 8080);
      try {
        await untilExactly(query.url, this.#published);
      } finally {
        await query.close();
      }
    });
  }
}

/** The services' image, as the cluster has it. */
function imageOfIngestion({ items }: PodList): string {
  const containers = items.flatMap(({ spec }) => spec.containers);
  const { image } = containers.find(({ name }) => name === 'ingestion') ?? {};
  if (image === undefined) throw new Error('there is no pod of ingestion');
  return image;
}
