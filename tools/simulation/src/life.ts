import { injectFaults } from './faults/inject-faults.ts';
import { wallClock } from './kernel/index.ts';
import { Violation } from './oracles/violation.ts';
import { CatalogUsers } from './workload/catalog/catalog-users.ts';
import { Household } from './workload/devices/household.ts';
import { People } from './workload/people/people.ts';
import type { FaultContext } from './faults/fault.ts';
import type { Recorder } from './recorder.ts';
import type { Actor } from './workload/actor.ts';
import type { System } from './world/system.ts';

const dayMs = 86_400_000;
/** Milliseconds between two faults on average, one of them for each day: most days have a few faults, some have many. */
const faultEveryMs = [2000, 8000, 8000, 15_000] as const;
/** Milliseconds after which services that start have to be ready. */
const startMs = 300_000;
/**
 * Quiet in which everything comes to its end: deletions take two minutes, and claims of killed replicas one. Most of it the
 * machines are suspended, since what polls costs time of the real one.
 */
const quiet = { times: 5, suspendedMs: 60_000, awakeMs: 12_000 };
/** How likely it is that an actor acts on a day. */
const actsOnDay = 0.6;

/** The life of one system: a busy time each day, with faults, and a check at the end. */
export class Life {
  readonly #system: System;
  readonly #recorder: Recorder;
  readonly #actors: readonly Actor[];
  /** Those that have acted at least once. */
  readonly #acted = new Set<Actor>();
  readonly #faultContext: FaultContext;

  constructor(system: System, recorder: Recorder) {
    this.#system = system;
    this.#recorder = recorder;
    const { world, gateway, broker, table } = system;
    const { tell } = recorder;
    const stage = () => ({ world, gateway, wallClock, tell, random: world.random.fork() });
    this.#actors = [
      new Household({ ...stage(), broker, devices: 12, messages: 40 }),
      new People({ ...stage(), table, names: ['anna', 'bo'] }),
      new CatalogUsers({ ...stage(), table, users: 3, steps: 6 }),
    ];
    this.#faultContext = { system, tell, random: world.random.fork() };
  }

  async play(days: number): Promise<void> {
    const { faults } = this.#recorder;
    try {
      await this.#untilReady();
      for (let day = 1; day <= days; day++) await this.#day(day);
      await this.#quietEnd();
      for (const actor of this.#acted) {
        faults.push(
          ...(await this.#system.play(`the check of ${actor.name}`, () => actor.check())),
        );
      }
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      faults.push(error.message, ...this.#system.deployment.unready);
    }
  }

  async #quietEnd(): Promise<void> {
    const { times, suspendedMs, awakeMs } = quiet;
    for (let time = 0; time < times; time++) {
      await this.#system.pass(awakeMs);
      this.#system.world.leap(suspendedMs);
    }
    await this.#system.pass(awakeMs);
  }

  async #untilReady(): Promise<void> {
    const { deployment, gateway } = this.#system;
    const wait = async () => {
      while (deployment.unready.length > 0) await gateway.sleep(1000);
    };
    await this.#system.play('all services become ready', wait, startMs);
  }

  /** A busy time of some seconds, and then all machines are suspended until the next day. */
  async #day(day: number): Promise<void> {
    const { world } = this.#system;
    this.#recorder.tell(`day ${day}`);
    await this.#system.play(`day ${day}`, async () => {
      let isOver = false;
      const everyMs = this.#faultContext.random.pick(faultEveryMs);
      const options = { everyMs, isEnough: () => isOver };
      const injecting = injectFaults(this.#faultContext, options);
      const { random } = this.#faultContext;
      const acting = this.#actors.filter(() => random.chance(actsOnDay));
      for (const actor of acting) this.#acted.add(actor);
      await Promise.all(acting.map((actor) => actor.act()));
      isOver = true;
      await injecting;
    });
    await this.#system.pass(3000);
    world.leap(dayMs - (world.now() % dayMs));
    await this.#system.pass(1000);
  }
}
