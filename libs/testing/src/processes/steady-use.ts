import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../running/until.ts';

/** The used part of a partition in `GET /v1/hot-partitions`. */
export interface ReportedPartition {
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
  key: Pick<ReportedPartition, 'index' | 'unit' | 'partition'>;
  /** The share of a partition's limit to use through this replica. */
  share: number;
  /** For instance the token that the replica requires. */
  headers?: Record<string, string>;
  /** A request that uses about a unit of the key. */
  send: () => Promise<void>;
}

/** Minimum milliseconds between two requests. */
const paceMs = 100;

/** Maximum number of requests in flight. */
const maxInFlight = 10;

/**
 * Uses a partition key through one replica so that it stays at a share of the partition's limit, on
 * machines of any speed.
 */
export class SteadyUse {
  /** Number of answered requests. */
  done = 0;
  /** The highest share that this replica alone has used. */
  highest = 0;
  readonly #options: SteadyUseOptions;
  #underWay = 0;

  constructor(options: SteadyUseOptions) {
    this.#options = options;
  }

  /** The replica's report on the key; undefined if the replica does not use it. */
  async reported(): Promise<ReportedPartition | undefined> {
    const { api, key, headers = {} } = this.#options;
    const answer = await fetch(`${api}/v1/hot-partitions?limit=100`, { headers });
    const { partitions } = (await answer.json()) as { partitions: ReportedPartition[] };
    return partitions.find(
      ({ index, unit, partition }) =>
        index === key.index && unit === key.unit && partition === key.partition,
    );
  }

  /** Sends requests until `stop`. @throws Error of a failed request */
  async run(isEnough: () => boolean): Promise<void> {
    const requests: Promise<void>[] = [];
    while (!isEnough()) {
      const used = (await this.reported())?.utilization ?? 0;
      this.highest = Math.max(this.highest, used);
      if (used < this.#options.share && this.#underWay < maxInFlight) requests.push(this.#send());
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

/** Sends requests until the condition holds. @throws Error if it does not hold after this many requests */
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
