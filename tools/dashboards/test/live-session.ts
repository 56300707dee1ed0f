import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@engawa/testing';
import { explainHotKeys } from '../src/live/explain-hot-keys.ts';
import { hotKey } from '../src/live/load/messages.ts';
import { Load } from '../src/live/load/load.ts';
import { LiveStack } from '../src/live/live-stack.ts';
import { rulesFor } from '../src/live/rules-for.ts';
import { ruleFile } from '../src/rules/index.ts';
import type { SelectedRow } from '../src/live/json-selection.ts';
import type { Alert, Span } from '../src/live/prometheus.ts';

/** Interval of scrapes and evaluations. */
const every = '1s';

/** A stack after a session in which every panel had data. */
export class LiveSession {
  readonly stack: LiveStack;
  readonly #load: Load;
  readonly #startedAt = Date.now() / 1000;
  #endedAt = 0;
  /** Every alert that was firing at some poll. */
  readonly fired: Alert[] = [];

  static async play(): Promise<LiveSession> {
    const session = new LiveSession(
      await LiveStack.start({ rules: rulesFor(ruleFile(), every), every }),
    );
    try {
      await session.#play();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private constructor(stack: LiveStack) {
    this.stack = stack;
    this.#load = new Load(stack);
  }

  /** The rows of “Hot keys, explained” while keys were hot. */
  explained: SelectedRow[] = [];

  /** The whole session. */
  get span(): Span {
    return { from: this.#startedAt, to: this.#endedAt, step: 1 };
  }

  async close(): Promise<void> {
    await this.#load.close();
    await this.stack.close();
  }

  async #play(): Promise<void> {
    const load = this.#load;
    await load.begin();
    load.heatDevice();
    load.heatList();
    await this.#until('the alert for the hot key', () =>
      this.#isFiring('EngawaHotPartition', hotKey),
    );
    await this.#until('an explanation', async () => {
      this.explained = await explainHotKeys(this.stack);
      return this.explained.some(({ key }) => key === hotKey);
    });
    await this.#untilSome('a family with more shards', 'engawa_partition_reshards_total');
    await load.beginTrouble();
    await this.#untilSome(
      'throttles of each scope',
      'count(count by (scope) (engawa_table_throttled_attempts_total)) >= 5',
    );
    await this.#untilSome('5xx', 'http_server_request_duration_seconds_count{status=~"5.."}');
    await load.endTrouble();
    await load.beginFlood();
    const dropped = 'engawa_ingest_messages_total{outcome="dropped_qos0"}';
    await this.#untilSome('dropped messages', dropped);
    await load.endFlood();
    await this.stack.restartBroker();
    await this.#untilSome('a lost session', 'engawa_mqtt_sessions_lost_total > 0');
    load.cool();
    const discarded = 'engawa_ingest_dead_letters_ended_total{by="discard"}';
    await this.#until('discarded dead letters', async () => {
      // Repeated: just after midnight the day has no dead letters yet.
      await load.tidyDeadLetters();
      return this.#isSome(discarded);
    });
    // Some queries use whole minutes.
    const minutes = 'max_over_time(sum(rate(engawa_table_consumed_units_total[1m]))[5m:1m])';
    await this.#untilSome('the beginning of a minute', minutes);
    await this.#untilNone('hot keys', 'engawa_hot_partition_utilization_ratio >= 0.7');
    // A rate needs two samples.
    await sleep(5000);
    this.#endedAt = Date.now() / 1000;
  }

  async #isFiring(name: string, partition: string): Promise<boolean> {
    const firing = (await this.stack.prometheus.alerts()).filter(({ state }) => state === 'firing');
    this.fired.push(...firing);
    return firing.some(
      ({ labels }) => labels['alertname'] === name && labels['partition'] === partition,
    );
  }

  #untilNone(what: string, query: string): Promise<void> {
    return this.#until(`no more of ${what}`, async () => !(await this.#isSome(query)));
  }

  #untilSome(what: string, query: string): Promise<void> {
    return this.#until(what, () => this.#isSome(query));
  }

  async #isSome(query: string): Promise<boolean> {
    return (await this.stack.prometheus.instant(query, Date.now() / 1000)).length > 0;
  }

  async #until(what: string, condition: () => Promise<boolean>): Promise<void> {
    await until(what, async () => {
      const holds = await condition();
      if (!holds) await sleep(250);
      return holds;
    });
    const seconds = (Date.now() / 1000 - this.#startedAt).toFixed(0);
    process.stdout.write(`after ${seconds} s: ${what}\n`);
  }
}
