import { allPages } from '../../../oracles/pages.ts';
import { timeoutMs } from '../../../oracles/progress.ts';
import { messageOf } from '../device-message.ts';
import { isStored } from '../publisher.ts';
import type { ReadingResponse } from '../../../oracles/expected-readings.ts';
import type { Scale } from '../../../world/scale.ts';
import type { ActorContext } from '../../actor.ts';
import type { Publisher } from '../publisher.ts';

interface Moment {
  /** Epoch milliseconds. */
  time: number;
  /** In the order of publication; of equal ones only the last. */
  states: readonly string[];
}

const device = 'device0-same-moment';
const path = `/v1/devices/${device}`;
/** Milliseconds between two messages. */
const pausesMs = [0, 0, 5, 300, 1200];

/**
 * A relay whose messages of a moment have one time. Readings of one time are in the order of receipt, and of equal ones
 * the last one stays (docs/adr/0095). Without faults, a broker delivers to one replica in the order of publication; the
 * members of a group receive in any order.
 */
export class SameMoment {
  readonly #context: ActorContext & { scale: Scale };
  readonly #publisher: Publisher;
  readonly #moments: Moment[] = [];
  readonly #violations: string[] = [];

  constructor(context: ActorContext & { scale: Scale }, publisher: Publisher) {
    this.#context = context;
    this.#publisher = publisher;
  }

  /** Call it in a period without faults. */
  async publish(): Promise<void> {
    const { gateway, scale, wallClock } = this.#context;
    const random = this.#context.random.fork();
    if (scale.sharing === 'group') return;
    const time = Math.floor(wallClock() / 1000) * 1000;
    const states = Array.from({ length: random.integer(2, 6) }, () =>
      random.pick(['on', 'off', 'auto', 'boost']),
    );
    const outcomes: ReturnType<Publisher['publishOnce']>[] = [];
    for (const relay of states) {
      const reading = { device, time, fields: { relay } };
      const topic = `engawa/${device}/readings`;
      const message = messageOf(topic, { ts: time, relay }, [reading]);
      outcomes.push(this.#publisher.publishOnce(message));
      await gateway.sleep(random.pick(pausesMs));
    }
    await this.#publisher.untilAcknowledged(timeoutMs(scale, states.length));
    if (!outcomes.every(isStored)) return;
    const last = states.filter((state, index) => states.lastIndexOf(state) === index);
    this.#moments.push({ time, states: last });
    const limit = last.length;
    const { text } = await gateway.insist('query', { path: `${path}/latest?limit=${limit}` });
    const { readings } = JSON.parse(text) as { readings: ReadingResponse[] };
    this.#compare('latest', readings, last.toReversed());
  }

  /** @returns a sentence for each difference, in the latest readings and in pages of both orders */
  async violations(): Promise<string[]> {
    const { random } = this.#context;
    for (const { time, states } of this.#moments) {
      const order = random.pick(['asc', 'desc']);
      const range = `${path}/readings?from=${time}&to=${time + 1}&order=${order}`;
      const list = { service: 'query', path: range, limit: { from: 1, to: 5 } } as const;
      const shown = (await allPages<ReadingResponse>(this.#context, list)) ?? [];
      this.#compare(range, shown, order === 'asc' ? states : states.toReversed());
    }
    return this.#violations;
  }

  #compare(what: string, shown: readonly ReadingResponse[], wanted: readonly string[]): void {
    const states = shown.map(({ fields }) => fields['relay']);
    if (String(states) === String(wanted)) return;
    this.#violations.push(
      `readings of one time are not in the order of receipt: ${what} has ${String(states)} instead of ${String(wanted)}`,
    );
  }
}
