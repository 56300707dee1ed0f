import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.ts';

/** What a replica tells of a partition key (`GET /v1/hot-partitions`), as far as tests look at it. */
export interface ToldPartition {
  index: string;
  unit: 'read' | 'write';
  partition: string;
  utilization: number;
  hotSince?: string;
  advice: string[];
}

export interface SteadyUseOptions {
  /** URL of the replica's API. */
  api: string;
  key: Pick<ToldPartition, 'index' | 'unit' | 'partition'>;
  /** Of what a partition takes, the share that is to be used through this replica. */
  share: number;
  /** Such as the token that the replica wants. */
  headers?: Record<string, string>;
  /** A request that uses about a unit of the key. */
  send: () => Promise<void>;
}

/** Milliseconds between two requests at least. */
const paceMs = 100;

/** Requests that are under way at most. */
const mostUnderWay = 10;

/** Uses a partition key through one replica, as much as keeps it at a share of what a partition takes, however slow all is. */
export class SteadyUse {
  /** Requests that were answered. */
  done = 0;
  /** The highest share that this replica alone has used. */
  highest = 0;
  readonly #options: SteadyUseOptions;
  #underWay = 0;

  constructor(options: SteadyUseOptions) {
    this.#options = options;
  }

  /** What the replica tells of the key; undefined where it does not use it. */
  async told(): Promise<ToldPartition | undefined> {
    const { api, key, headers = {} } = this.#options;
    const answer = await fetch(`${api}/v1/hot-partitions?limit=100`, { headers });
    const { partitions } = (await answer.json()) as { partitions: ToldPartition[] };
    return partitions.find(
      ({ index, unit, partition }) =>
        index === key.index && unit === key.unit && partition === key.partition,
    );
  }

  /** Sends until it is told to stop. @throws whatever a request fails with */
  async run(isEnough: () => boolean): Promise<void> {
    const requests: Promise<void>[] = [];
    while (!isEnough()) {
      const used = (await this.told())?.utilization ?? 0;
      this.highest = Math.max(this.highest, used);
      if (used < this.#options.share && this.#underWay < mostUnderWay) requests.push(this.#send());
      await sleep(paceMs);
    }
    await Promise.all(requests);
  }

  async #send(): Promise<void> {
    this.#underWay += 1;
    await this.#options.send();
    this.#underWay -= 1;
    this.done += 1;
  }
}

/** Goes on until the condition holds. @throws Error where it does not within so many requests */
export async function useUntil(
  uses: readonly SteadyUse[],
  what: string,
  condition: () => boolean | Promise<boolean>,
  most = 6000,
): Promise<void> {
  const done = () => uses.reduce((sum, one) => sum + one.done, 0);
  const end = done() + most;
  let isEnough = false;
  const waiting = until(
    what,
    async () => {
      if (done() > end) throw new Error(`${most} requests, and not yet: ${what}`);
      return condition();
    },
    { progress: done },
  ).finally(() => (isEnough = true));
  await Promise.all([waiting, ...uses.map((one) => one.run(() => isEnough))]);
}
