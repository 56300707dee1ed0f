import {
  hotRate,
  calmMessage,
  calmRate,
  floodMessage,
  hotMessage,
  poisonMessage,
} from './messages.ts';
import { loadCatalog, playHomes } from './seed.ts';
import { Listener } from './listener.ts';
import { Publisher } from './publisher.ts';
import { brokenQuestion, newDevice, Requester, usualQuestion } from './requests.ts';
import { brokenKey, otherLimits, tidyDeadLetters } from './faults.ts';
import { keyLimit } from '../live-stack.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { LiveStack } from '../live-stack.ts';
import type { Message } from './publisher.ts';
import type { LoadRequest } from './requests.ts';

/** New devices a second, all listed under one key of an index. */
const listRate = 2 * keyLimit;
const floodRate = 4000;

interface Closable {
  close(): unknown;
}

/** The load of a live stack: normal traffic, and faults. */
export class Load {
  readonly #stack: LiveStack;
  readonly #usual: Closable[] = [];
  #hot: Closable[] = [];
  #trouble: Closable[] = [];
  #flood: Closable[] = [];

  constructor(stack: LiveStack) {
    this.#stack = stack;
  }

  /** Starts homes with a day of history, a catalog, devices and users. Afterwards each key has a throughput limit. */
  async begin(): Promise<void> {
    this.#usual.push(await playHomes(this.#stack));
    await loadCatalog(this.#stack);
    this.#usual.push(
      this.#publish(calmRate, calmMessage),
      this.#publish(1, poisonMessage),
      this.#ask(20, usualQuestion),
      new Listener(this.#stack.urls.ingestion),
    );
    await this.#stack.limitKeys();
  }

  /** One device sends more than its key accepts. */
  heatDevice(): void {
    this.#hot.push(this.#publish(hotRate, hotMessage));
  }

  /** A client registers many devices. */
  heatList(): void {
    this.#hot.push(this.#ask(listRate, newDevice));
  }

  cool(): void {
    this.#hot = closed(this.#hot);
  }

  /** The table throttles for other reasons, and fails for one device. */
  async beginTrouble(): Promise<void> {
    await this.#stack.simulator.setFaults([brokenKey, ...otherLimits]);
    this.#trouble.push(this.#ask(1, brokenQuestion));
  }

  async endTrouble(): Promise<void> {
    this.#trouble = closed(this.#trouble);
    await this.#stack.simulator.setFaults([]);
  }

  /** More messages of QoS 0 than ingestion can hold while the table is so slow that a busy machine, too, sends more. */
  async beginFlood(): Promise<void> {
    const slow: FaultInput = {
      operations: ['BatchWriteItem'],
      fault: { kind: 'slow', milliseconds: 2000 },
    };
    await this.#stack.simulator.setFaults([slow]);
    this.#flood.push(this.#publish(floodRate, floodMessage));
  }

  async endFlood(): Promise<void> {
    this.#flood = closed(this.#flood);
    await this.#stack.simulator.setFaults([]);
  }

  restartBroker(): Promise<void> {
    return this.#stack.restartBroker();
  }

  tidyDeadLetters(): Promise<void> {
    return tidyDeadLetters(this.#stack);
  }

  async close(): Promise<void> {
    const all = [...this.#flood, ...this.#trouble, ...this.#hot, ...this.#usual];
    await Promise.all(all.map((load) => load.close()));
  }

  #publish(rate: number, message: (number: number) => Message): Publisher {
    return new Publisher({ url: this.#stack.mqttUrl, rate, message });
  }

  #ask(rate: number, question: (number: number) => LoadRequest): Requester {
    return new Requester({ urls: this.#stack.urls, rate, question });
  }
}

function closed(loads: readonly Closable[]): [] {
  for (const load of loads) load.close();
  return [];
}
