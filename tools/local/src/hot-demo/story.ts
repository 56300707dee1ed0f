import { setTimeout as sleep } from 'node:timers/promises';
import { BrokenPromise } from './broken-promise.ts';
import { limit } from './demo-stack.ts';
import { adviceOn, lineOf, secondsOf, summaryOf, wrapped } from './narration.ts';
import { countDevices, countReadings } from './read-back.ts';
import {
  deviceKey,
  deviceRate,
  hotDevice,
  listKey,
  listRate,
  others,
  Scene,
  seenKey,
} from './scene.ts';
import type { DemoStack } from './demo-stack.ts';
import type { Look, View } from './scene.ts';

export interface Telling {
  stack: DemoStack;
  /** Seconds that each step may take until it is not as promised. */
  patience: number;
  signal: AbortSignal;
  print: (line: string) => void;
}

/** Milliseconds between two looks. */
const interval = 1000;
/** Seconds that nothing is hot at first, and until the list follows the device. */
const calm = 3;
const listLater = 4;
/** Looks in a row in which as good as everything has to be stored. */
const steadyLooks = 3;
const full = 0.9;

type Test = (look: Look) => boolean;

/** What is hot, why, what is done about it, and what comes of that: told as it happens. */
export class Story {
  readonly #telling: Telling;
  readonly #scene: Scene;
  readonly #startedAt = performance.now();
  /** When, and how it was. */
  readonly #marks = new Map<string, number>();

  constructor(telling: Telling) {
    this.#telling = telling;
    this.#scene = new Scene(telling.stack);
  }

  /** @throws BrokenPromise for what does not come in time */
  async tell(): Promise<void> {
    try {
      await this.#calm();
      const hotFrom = Date.now();
      await this.#throttled();
      await this.#detected();
      await this.#grows();
      await this.#comesBack();
      await this.#nothingLost(hotFrom);
    } finally {
      this.#scene.close();
    }
  }

  async #calm(): Promise<void> {
    this.#say(`1. All is well: ${others} devices publish a reading a second each.`);
    for (let look = 0; look < calm; look++) await this.#look();
  }

  async #throttled(): Promise<void> {
    this.#say(
      `2. One of them goes wild: ${hotDevice} publishes ${deviceRate} readings a second, and its partition key takes ${limit}. Each fills a write unit, so packing several into one does not help.`,
    );
    this.#scene.heatDevice();
    for (let look = 0; look < listLater; look++) await this.#look();
    this.#say(
      `And somebody registers ${listRate} new devices a second. Each is listed by its name under one key of an index, ${listKey} of gsi1, and by when it was last heard of under ${seenKey} of gsi2; each of the two takes ${limit} as well.`,
    );
    this.#scene.heatList();
    await this.#until('DynamoDB throttles neither key', ({ device, list }) => {
      return isThrottled(device) && isThrottled(list);
    });
    this.#mark('throttled');
    this.#say(
      'DynamoDB throttles both, and its answers do not name a key. Nothing is lost: what it turns away waits and is sent again, and the other devices flow on.',
    );
  }

  async #detected(): Promise<void> {
    const { urls } = this.#telling.stack;
    const detected: Test = ({ device, list }) => isNamed(device) && isNamed(list);
    const { device, list } = await this.#until('the hot keys are not named', detected);
    this.#mark('detected');
    this.#say(`3. Engawa says which keys they are. ${urls.ingestion.api}/v1/hot-partitions:`);
    this.#sayAll(adviceOn(device?.hot ?? []));
    this.#say(`${urls.registry.api}/v1/hot-partitions, where it is an index that is hot:`);
    this.#sayAll(adviceOn(list?.hot ?? []));
    this.#say(`And Prometheus finds them in ${urls.ingestion.metrics}/metrics:`);
    const lines = await this.#scene.metricLines('ingestion', deviceKey);
    this.#sayAll(lines.map((line) => `   ${line}`));
    if (list?.hot.some(({ advice }) => advice.join(' ').includes('gsi1')) !== true) {
      throw new BrokenPromise('the advice on the hot list does not name its index, gsi1');
    }
  }

  async #grows(): Promise<void> {
    this.#say(
      '4. What stays hot for ten seconds is spread over more keys; seven seconds later every reader knows of them, and they are written to.',
    );
    const grown: Test = ({ device, list }) => isGrown(device) && isGrown(list);
    const { device, list } = await this.#until('the hot keys do not get more shards', grown);
    this.#mark('grown');
    this.#say(
      `Decided: ${hotDevice} gets ${device?.shards.join() ?? ''} keys instead of one, the list of devices ${list?.shards[0] ?? ''}.`,
    );
  }

  async #comesBack(): Promise<void> {
    this.#say('5. Now the rate comes back.');
    let steady = 0;
    const back: Test = ({ device, list }) => {
      steady = isBack(device) && isBack(list) ? steady + 1 : 0;
      return steady >= steadyLooks;
    };
    await this.#until('the full rate does not come back', back);
    this.#mark('back');
    this.#say('Everything that is wanted is stored again, with no setting changed and no restart.');
  }

  async #nothingLost(hotFrom: number): Promise<void> {
    const { stack, patience, print } = this.#telling;
    this.#say('6. The load ends. What still waits is stored, and then all of it is read back.');
    this.#scene.stop();
    const { published, wanted } = this.#scene;
    const deadline = performance.now() + patience * 1000;
    for (;;) {
      await this.#wait();
      const readings = await countReadings(stack, hotFrom - 1000);
      const devices = await countDevices(stack);
      const there = `${readings} of ${published} readings, ${devices} of ${wanted} devices are there`;
      print(`${secondsOf(this.#seconds)} | ${there}`);
      if (readings === published && devices === wanted) break;
      if (readings > published || devices > wanted || performance.now() > deadline) {
        throw new BrokenPromise(there);
      }
    }
    this.#sayAll(summaryOf({ marks: this.#marks, published, wanted }));
  }

  /** Looks once a second until it is so. @param otherwise what there is to say if it never is */
  async #until(otherwise: string, test: Test): Promise<Look> {
    const { patience } = this.#telling;
    const deadline = performance.now() + patience * 1000;
    for (;;) {
      const look = await this.#look();
      if (test(look)) return look;
      if (performance.now() > deadline) {
        throw new BrokenPromise(`${otherwise} within ${patience} s`);
      }
    }
  }

  async #look(): Promise<Look> {
    await this.#wait();
    const look = await this.#scene.look();
    this.#telling.print(lineOf(this.#seconds, look));
    return look;
  }

  async #wait(): Promise<void> {
    await sleep(interval, undefined, { signal: this.#telling.signal });
  }

  get #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  #mark(what: string): void {
    this.#marks.set(what, this.#seconds);
  }

  #say(text: string): void {
    this.#sayAll(['', ...wrapped(text)]);
  }

  #sayAll(lines: readonly string[]): void {
    for (const line of lines) this.#telling.print(line);
  }
}

const isThrottled = (view: View | undefined): boolean => view !== undefined && view.throttles > 0;
const isNamed = (view: View | undefined): boolean =>
  view?.hot.some(({ advice }) => advice.length > 0) === true;
const isGrown = (view: View | undefined): boolean =>
  view !== undefined && (view.shards[0] ?? 1) > 1;
const isBack = (view: View | undefined): boolean =>
  view !== undefined && view.stored >= full * view.wanted;
