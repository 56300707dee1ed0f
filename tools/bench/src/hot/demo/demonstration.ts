import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { countListed } from '../measure-list.ts';
import { countReadings } from '../oracle.ts';
import { adviceLines, lineOf, secondsOf, summaryOf, wrapped } from './narration.ts';
import { hotDevice, listKey, otherDevices, HotLoad, seenKey } from './hot-load.ts';
import type { HotLoadSample, HotLoadOptions, View } from './hot-load.ts';

export interface DemonstrationOptions extends HotLoadOptions {
  /** For each step. */
  timeoutMs: number;
  print: (line: string) => void;
}

const lookIntervalMs = 1000;
/** Looks before the device becomes hot, and from then until the list becomes hot. */
const calmLooks = 3;
const deviceOnlyLooks = 4;
/** Consecutive looks with at least this share of the offered load stored count as recovered. */
const recoveredLooks = 3;
const recoveredShare = 0.9;

type Condition = (look: HotLoadSample) => boolean;

/** Shows throttling, detection, mitigation and recovery as they happen. */
export class Demonstration {
  readonly #options: DemonstrationOptions;
  readonly #load: HotLoad;
  readonly #startedAt = performance.now();
  /** Seconds at which each step was reached. */
  readonly #reachedAt = new Map<string, number>();

  constructor(options: DemonstrationOptions) {
    this.#options = options;
    this.#load = new HotLoad(options);
  }

  /** @throws OperatorError if a step is not reached in time */
  async tell(): Promise<void> {
    await this.#showNormalLoad();
    await this.#showThrottling();
    await this.#showDetection();
    await this.#showMitigation();
    await this.#showRecovery();
    await this.#verify();
  }

  async #showNormalLoad(): Promise<void> {
    this.#say(`1. Normal load: ${otherDevices} devices publish one reading a second each.`);
    await this.#load.begin();
    for (let look = 0; look < calmLooks; look++) await this.#look();
  }

  async #showThrottling(): Promise<void> {
    const { limit } = this.#options;
    this.#say(
      `2. Throttling: ${hotDevice} publishes ${this.#load.deviceRate} readings a second, and its partition key accepts ${limit}. Each reading fills a write unit, so larger batches do not help.`,
    );
    await this.#load.heatDevice();
    for (let look = 0; look < deviceOnlyLooks; look++) await this.#look();
    this.#say(
      `A client registers ${this.#load.listRate} new devices a second. Their list by name is one key of an index, ${listKey} of gsi1; their list by last reading is ${seenKey} of gsi2. Each accepts ${limit} as well.`,
    );
    this.#load.heatList();
    await this.#until(
      'DynamoDB does not throttle both keys',
      ({ device, list }) => isThrottled(device) && isThrottled(list),
    );
    this.#mark('throttled');
    this.#say(
      'DynamoDB throttles both keys, and its responses do not name them. Nothing is lost: throttled writes are buffered and retried, and other devices are stored without delay.',
    );
  }

  async #showDetection(): Promise<void> {
    const { ingestion, registry } = this.#options.services;
    const { device, list } = await this.#until(
      'the hot keys are not detected',
      (look) => hasAdvice(look.device) && hasAdvice(look.list),
    );
    this.#mark('detected');
    this.#say(`3. Detection: Engawa names the hot keys. ${ingestion.url}/v1/hot-partitions:`);
    this.#print(adviceLines(device?.hot ?? []));
    this.#say(`${registry.url}/v1/hot-partitions, for the key of an index:`);
    this.#print(adviceLines(list?.hot ?? []));
    this.#say(`Prometheus reads them from ${ingestion.metricsUrl}/metrics:`);
    this.#print((await this.#load.metricLines()).map((line) => `   ${line}`));
    if (list?.hot.some(({ advice }) => advice.join(' ').includes('gsi1')) !== true) {
      throw new OperatorError('demo failed: the advice on the hot list does not name its index');
    }
  }

  async #showMitigation(): Promise<void> {
    this.#say(
      '4. Mitigation: a key that is hot for ten seconds gets more shards. Seven seconds later every reader knows them, and they are written to.',
    );
    const { device, list } = await this.#until(
      'the hot keys do not get more shards',
      (look) => isGrown(look.device) && isGrown(look.list),
    );
    this.#mark('grown');
    this.#say(
      `Decided: ${hotDevice} gets ${device?.shards.join() ?? ''} shards instead of one, the list of devices ${list?.shards[0] ?? ''}.`,
    );
  }

  async #showRecovery(): Promise<void> {
    this.#say('5. Recovery: the shards together accept the full rate.');
    let looks = 0;
    const isRecovered: Condition = ({ device, list }) => {
      looks = isStored(device) && isStored(list) ? looks + 1 : 0;
      return looks >= recoveredLooks;
    };
    await this.#until('the full rate does not recover', isRecovered);
    this.#mark('recovered');
    this.#say('All offered load is stored again, without a change of settings or a restart.');
  }

  async #verify(): Promise<void> {
    const { services, timeoutMs, print } = this.#options;
    this.#say('6. Verification: the load ends, buffered writes are stored, and all is read back.');
    const { sent, created } = await this.#load.stop();
    const published = sent[hotDevice]?.length ?? 0;
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      await sleep(lookIntervalMs);
      // A read may fail while the table still throttles.
      const readingCounts = await countReadings(services.query.url, sent).catch(() => undefined);
      const listed = await countListed(services.registry.url).catch(() => 0);
      const { missing, surplus } = readingCounts ?? { missing: published, surplus: 0 };
      const found = `${published - missing} of ${published} readings, ${listed} of ${created} devices found`;
      print(`${secondsOf(this.#seconds)} | ${found}`);
      if (missing + surplus === 0 && listed === created) break;
      if (surplus > 0 || listed > created || performance.now() > deadline) {
        throw new OperatorError(`demo failed: ${found}, ${surplus} readings twice`);
      }
    }
    this.#print(summaryOf({ reachedAt: this.#reachedAt, published, created }));
  }

  /** Looks once a second until the condition holds. @param failure the message if it does not in time */
  async #until(failure: string, condition: Condition): Promise<HotLoadSample> {
    const { timeoutMs } = this.#options;
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const look = await this.#look();
      if (condition(look)) return look;
      if (performance.now() > deadline) {
        throw new OperatorError(`demo failed: ${failure} within ${timeoutMs / 1000} s`);
      }
    }
  }

  async #look(): Promise<HotLoadSample> {
    await sleep(lookIntervalMs);
    const look = await this.#load.look();
    this.#options.print(lineOf(this.#seconds, look));
    return look;
  }

  get #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  #mark(step: string): void {
    this.#reachedAt.set(step, this.#seconds);
  }

  #say(text: string): void {
    this.#print(['', ...wrapped(text)]);
  }

  #print(lines: readonly string[]): void {
    for (const line of lines) this.#options.print(line);
  }
}

const isThrottled = (view: View | undefined): boolean => view !== undefined && view.throttled > 0;
const hasAdvice = (view: View | undefined): boolean =>
  view?.hot.some(({ advice }) => advice.length > 0) === true;
const isGrown = (view: View | undefined): boolean =>
  view !== undefined && (view.shards[0] ?? 1) > 1;
const isStored = (view: View | undefined): boolean =>
  view !== undefined && view.stored >= recoveredShare * view.offered;
