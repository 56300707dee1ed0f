import { Violation } from '../../world/violation.ts';
import { pathOf } from './catalog-types.ts';
import type { Random } from '../../kernel/index.ts';
import type { ActorContext } from '../actor.ts';
import type { CatalogClient } from './catalog-client.ts';

interface Session {
  /** Epoch milliseconds; undefined if the last write got no response. */
  until: number | undefined;
}

/** Maximum difference between the clocks of replicas and the world's clock, in milliseconds. */
const toleranceMs = 60_000;
const lives = [20_000, 3_600_000, 30 * 3_600_000, 70 * 3_600_000] as const;

/** Entities that expire. */
export class Sessions {
  readonly #client: CatalogClient;
  readonly #random: Random;
  readonly #wallClock: ActorContext['wallClock'];
  readonly #sessions = new Map<string, Session>();
  #count = 0;

  constructor(options: {
    client: CatalogClient;
    random: Random;
    wallClock: ActorContext['wallClock'];
  }) {
    this.#client = options.client;
    this.#random = options.random;
    this.#wallClock = options.wallClock;
  }

  async step(): Promise<void> {
    const random = this.#random;
    const ids = [...this.#sessions.keys()].slice(-5);
    if (ids.length === 0 || random.chance(0.5)) return this.#put(`session ${++this.#count}`);
    return this.#read(random.pick(ids));
  }

  async check(): Promise<string[]> {
    const violations: string[] = [];
    for (const id of [...this.#sessions.keys()].slice(-10)) {
      try {
        await this.#read(id);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        violations.push(error.message);
      }
    }
    return violations;
  }

  async #put(id: string): Promise<void> {
    const until = this.#wallClock() + this.#random.pick(lives);
    const body = { attributes: { until: new Date(until).toISOString() } };
    const path = pathOf({ type: 'Session', id });
    const { outcome, code, text } = await this.#client.send({ method: 'PUT', path, body });
    if (outcome !== 'refused') {
      this.#sessions.set(id, { until: outcome === 'taken' ? until : undefined });
    } else if (code !== 'no-answer') throw new Violation(`Session/${id} was rejected: ${text}`);
  }

  async #read(id: string): Promise<void> {
    const until = this.#sessions.get(id)?.until;
    const before = this.#wallClock();
    const { status, text } = await this.#client.send({ path: pathOf({ type: 'Session', id }) });
    if (until === undefined || (status !== 200 && status !== 404)) return;
    const now = this.#wallClock();
    const what = `Session/${id}, which expires at ${new Date(until).toISOString()}`;
    if (status === 404 && now < until - toleranceMs)
      throw new Violation(`${what}, is missing: ${text}`);
    if (status === 200 && before > until + toleranceMs)
      throw new Violation(`${what}, is still returned`);
  }
}
