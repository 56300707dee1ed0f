import { chartFolder } from '../chart-folder.ts';
import type { Commands } from './commands.ts';
import { untilNothingIsLeft } from './leftovers.ts';
import type { ClusterOptions } from './options.ts';
import { linesOf, makeReadings, topic, untilExactly } from './readings.ts';
import type { Reading } from './readings.ts';

const release = 'engawa';
const timeout = '--timeout=5m';

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
    const changed = [
      'ingestion.replicas=2',
      'mqtt.group=engawa',
      'defaults.settings.LOG_LEVEL=debug',
    ];
    await this.#step(`upgrading to ${changed.join(' and ')} while readings come in`, () =>
      this.#whilePublishing(() => this.#helm('upgrade', ...changed)),
    );
    await this.#ask();
    await this.#step('rolling back while readings come in', () =>
      this.#whilePublishing(() =>
        this.#commands.helm(['rollback', release, '1', '--wait', timeout]),
      ),
    );
    await this.#ask();
    await this.#step('uninstalling', () =>
      this.#commands.helm(['uninstall', release, '--wait', timeout]),
    );
    await this.#step('looking for what is left', () => untilNothingIsLeft(this.#commands, release));
  }

  async #step(what: string, work: () => Promise<unknown>): Promise<void> {
    this.#print(`${what} …`);
    const before = Date.now();
    await work();
    this.#print(`  done after ${((Date.now() - before) / 1000).toFixed(1)} s`);
  }

  #helm(command: 'install' | 'upgrade', ...changes: string[]): Promise<string> {
    const { image, valuesFile } = this.#options;
    const settings = ['demo.enabled=true', ...changes];
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
