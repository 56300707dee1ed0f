import { Clients } from './clients.ts';
import { evictServices } from './evictions.ts';
import { tryConnections } from './network.ts';
import { failToUpgrade, outsideBroker, outsideValues, startOutside } from './outside.ts';
import { Publisher } from './publisher.ts';
import { Release, releaseName } from './release.ts';
import { autoscaledQuery, scaledByHand, untilScaledOut, upgradeWhatIsScaled } from './scaling.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';
import type { ClusterOptions } from './options.ts';

/** Two replicas of each HTTP service, so that one responds while the other is evicted. */
const demoValues = ['demo.enabled=true', 'query.replicas=2', 'registry.replicas=2'];
const sharedValues = ['ingestion.replicas=2', 'mqtt.group=engawa'];
const debugging = 'defaults.settings.LOG_LEVEL=debug';
const brokenTableJob = ['table.extraEnv[0].name=NODE_OPTIONS', 'table.extraEnv[0].value=--none'];
/** Number of responses that each client receives before and after a change of the pods. */
const requests = 100;

/** The lifecycle of a release: first a demo, then a release with an external broker and table. */
export class Scenario {
  readonly #commands: Commands;
  readonly #options: ClusterOptions;
  readonly #steps: Steps;

  constructor(commands: Commands, options: ClusterOptions, print: (line: string) => void) {
    this.#commands = commands;
    this.#options = options;
    this.#steps = new Steps(print);
  }

  async play(): Promise<void> {
    await this.#demo();
    await this.#reinstall();
  }

  async #demo(): Promise<void> {
    const step = this.#steps.run.bind(this.#steps);
    const release = new Release(this.#commands, this.#options, demoValues);
    const publisher = new Publisher(this.#commands, `${releaseName}-broker`);
    await step('installing the chart as a demo', () => release.install());
    await step('publishing 100 readings', () => publisher.publish(100));
    await this.#ask(publisher);
    await step('helm test', () => release.test());
    const clients = await step('starting clients', () => this.#startClients());
    await step('trying what network policies allow and deny', () => tryConnections(this.#commands));
    await this.#underRequests(clients, publisher, [
      ['upgrading', () => release.upgrade(debugging)],
      ['restarting', () => release.restart()],
      ['rolling back', () => release.rollBack(1)],
      ['evicting every pod of the services', () => this.#evict(release)],
    ]);
    await step('waiting for the autoscaler', async () => {
      await release.upgrade(...autoscaledQuery, ...scaledByHand);
      await untilScaledOut(this.#commands);
    });
    await step('upgrading what a person and the autoscaler have scaled', () =>
      upgradeWhatIsScaled(this.#commands, release, [...autoscaledQuery, ...scaledByHand]),
    );
    await step('looking for requests that failed', () => clients.stop());
    await step(`upgrading to ${sharedValues.join(' and ')} while readings come in`, () =>
      publisher.during(() => release.upgrade(...sharedValues)),
    );
    await this.#ask(publisher);
    await step('rolling back to one replica while readings come in', () =>
      publisher.during(() => release.rollBack(1)),
    );
    await this.#ask(publisher);
    await this.#uninstall(release);
  }

  /** The table's data must outlive the release, and an upgrade must remove the remains of a failed one. */
  async #reinstall(): Promise<void> {
    const step = this.#steps.run.bind(this.#steps);
    const release = new Release(this.#commands, this.#options, outsideValues);
    const publisher = new Publisher(this.#commands, outsideBroker);
    await step('starting a broker and a table of their own', () => startOutside(this.#commands));
    await step('installing the chart for them', () => release.install());
    await step('publishing 100 readings', () => publisher.publish(100));
    await this.#ask(publisher);
    await step('failing to upgrade', () =>
      failToUpgrade(() => release.upgradeWithin(30, ...brokenTableJob)),
    );
    await this.#ask(publisher);
    await step('rolling back', () => release.rollBack(1));
    // Helm keeps the hooks of an upgrade that failed until an upgrade succeeds (docs/deploy.md).
    await step('upgrading with a table Job that succeeds', () => release.upgrade());
    await this.#uninstall(release);
    await step('publishing 20 readings while nothing is installed', () => publisher.publish(20));
    await step('installing the chart over the table', () => release.install());
    await this.#ask(publisher);
    await this.#uninstall(release);
  }

  /** No request may fail during a change of the pods, and no reading may be missing. */
  async #underRequests(
    clients: Clients,
    publisher: Publisher,
    events: readonly (readonly [string, () => Promise<unknown>])[],
  ): Promise<void> {
    for (const [what, work] of events) {
      await this.#steps.run(`${what} under requests of four clients`, async () => {
        await Promise.all([publisher.during(work), clients.moreAnswers(requests)]);
        await clients.moreAnswers(requests);
        await clients.check();
      });
    }
    await this.#ask(publisher);
  }

  async #evict(release: Release): Promise<void> {
    await evictServices(this.#commands);
    const services = ['registry', 'query', 'catalog'].map((name) => `deployment/engawa-${name}`);
    await release.ready([...services, `statefulset/${releaseName}-ingestion`]);
  }

  #startClients(): Promise<Clients> {
    const at = (service: string, path: string) => `http://${releaseName}-${service}:8080${path}`;
    return Clients.start(this.#commands, [
      { name: 'kept GET', method: 'GET', kept: true, url: at('query', '/v1/hot-partitions') },
      { name: 'new GET', method: 'GET', kept: false, url: at('registry', '/v1/devices?limit=1') },
      { name: 'kept POST', method: 'POST', kept: true, url: at('ingestion', '/v1/readings') },
      { name: 'new POST', method: 'POST', kept: false, url: at('ingestion', '/v1/readings') },
    ]);
  }

  #ask(publisher: Publisher): Promise<void> {
    return this.#steps.run(`asking for all ${publisher.count} readings`, () =>
      publisher.untilStored(),
    );
  }

  async #uninstall(release: Release): Promise<void> {
    await this.#steps.run('uninstalling', () => release.uninstall());
    await this.#steps.run('checking for remaining objects', () =>
      untilUninstalled(this.#commands, releaseName),
    );
  }
}

/** Prints each step with its duration. */
class Steps {
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  async run<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#print(`${what} …`);
    const before = performance.now();
    const result = await work();
    this.#print(`  done after ${((performance.now() - before) / 1000).toFixed(1)} s`);
    return result;
  }
}

/** Maximum milliseconds for the end of pods after an uninstall. */
const timeoutMs = 120_000;

/**
 * Waits until no namespaced object of a release is left.
 * @throws Error that names the remaining objects
 */
async function untilUninstalled(commands: Commands, release: string): Promise<void> {
  const listing = await commands.kubectl([
    'api-resources',
    '--namespaced',
    '--verbs=list',
    '--output=name',
  ]);
  // Events are history, and expire.
  const kinds = listing.split('\n').filter((kind) => kind !== '' && !kind.startsWith('events'));
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const left = await commands.kubectl([
      'get',
      kinds.join(','),
      `--selector=app.kubernetes.io/instance=${release}`,
      '--output=name',
      '--ignore-not-found',
    ]);
    if (left.trim() === '') return;
    if (Date.now() > deadline) throw new Error(`these are left:\n${left}`);
    await sleep(2000);
  }
}
