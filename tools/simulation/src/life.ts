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
/** Milliseconds between two faults, on average. */
const faultEveryMs = 4000;
/** Milliseconds after which services that start have to be ready. */
const startMs = 300_000;
/**
 * Milliseconds of quiet in which everything comes to its end: deletions take two minutes, claims of killed replicas one, blocks that
 * a replica has parked and left two and a half, and a group of HiveMQ goes on 99 s after a kill.
 */
const quietMs = 300_000;
/** How often nothing fails on a day, other than the first and the last. */
const calmProbability = 0.1;

/** The life of one system: a busy time each day, with faults, and a check at the end. */
export class Life {
  readonly #system: System;
  readonly #recorder: Recorder;
  readonly #actors: readonly Actor[];
  readonly #faultContext: FaultContext;

  constructor(system: System, recorder: Recorder) {
    this.#system = system;
    this.#recorder = recorder;
    const { world, gateway, broker, table, scale, deployment } = system;
    const { tell } = recorder;
    const stage = () => ({ world, gateway, wallClock, tell, random: world.random.fork() });
    this.#actors = [
      new Household({
        ...{ ...stage(), broker, table, scale, devices: 12, messages: 60 },
        isServed: (clientId) => deployment.isServed(clientId),
      }),
      new People({ ...stage(), table, names: ['anna', 'bo'] }),
      new CatalogUsers({ ...stage(), table, users: 3, steps: 9 }),
    ];
    this.#faultContext = { system, tell, random: world.random.fork() };
  }

  async play(days: number): Promise<void> {
    const { faults } = this.#recorder;
    try {
      await this.#untilReady();
      for (let day = 1; day <= days; day++) {
        const isCalm = day > 1 && day < days && this.#faultContext.random.chance(calmProbability);
        this.#recorder.tell(`day ${day}`);
        await (isCalm ? this.#calm() : this.#busyTime(day));
        await this.#night();
      }
      await this.#calm();
      for (const actor of this.#actors) {
        faults.push(
          ...(await this.#system.play(`the check of ${actor.name}`, () => actor.check())),
        );
      }
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      faults.push(error.message, ...this.#system.deployment.unready);
    }
  }

  async #untilReady(): Promise<void> {
    const { deployment, gateway } = this.#system;
    const wait = async () => {
      while (deployment.unready.length > 0) await gateway.sleep(1000);
    };
    await this.#system.play('all services become ready', wait, startMs);
  }

  /** Faults have stopped: everything comes to its end, and then what is asked for is done in time. */
  async #calm(): Promise<void> {
    await this.#system.pass(quietMs);
    this.#recorder.tell('nothing fails');
    await this.#system.play('a calm time', async () => {
      await Promise.all(this.#actors.map(async (actor) => actor.actCalmly?.()));
    });
  }

  async #busyTime(day: number): Promise<void> {
    await this.#system.play(`day ${day}`, async () => {
      let isOver = false;
      const options = { everyMs: faultEveryMs, isEnough: () => isOver };
      const injecting = injectFaults(this.#faultContext, options);
      await Promise.all(this.#actors.map((actor) => actor.act()));
      isOver = true;
      await injecting;
    });
  }

  /** All machines are suspended until the next day. */
  async #night(): Promise<void> {
    const { world } = this.#system;
    await this.#system.pass(3000);
    world.leap(dayMs - (world.now() % dayMs));
    await this.#system.pass(1000);
  }
}
