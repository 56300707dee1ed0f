import { injectFaults } from './faults/inject-faults.ts';
import { wallClock } from './kernel/index.ts';
import { faultsOfIdle, watchBounds } from './oracles/bounds.ts';
import { faultsOfPrices } from './oracles/prices.ts';
import { UnitsAudit } from './oracles/units-audit.ts';
import { faultsOfTable } from './oracles/whole-table.ts';
import { Violation } from './oracles/violation.ts';
import { CatalogUsers } from './workload/catalog/catalog-users.ts';
import { isCatalogType } from './workload/catalog/catalog-types.ts';
import { Household } from './workload/devices/household.ts';
import { People } from './workload/people/people.ts';
import type { FaultContext } from './faults/fault.ts';
import type { Random } from './kernel/index.ts';
import type { Recorder } from './recorder.ts';
import type { Actor } from './workload/actor.ts';
import type { System } from './world/system.ts';

const dayMs = 86_400_000;
/** Milliseconds between two faults, on average. */
const faultEveryMs = 4000;
/** Milliseconds after which services that start have to be ready. */
const startMs = 300_000;
/** Milliseconds of quiet in which everything comes to its end: deletions take two minutes, and claims of killed replicas one. */
const quietMs = 300_000;

/** The life of one system: a busy time each day, with faults, and a check at the end. */
export class Life {
  readonly #system: System;
  readonly #recorder: Recorder;
  readonly #household: Household;
  readonly #actors: readonly Actor[];
  readonly #watch: Random;
  readonly #faultContext: FaultContext;

  constructor(system: System, recorder: Recorder) {
    this.#system = system;
    this.#recorder = recorder;
    const { world, gateway, broker, table, delays, climateDays } = system;
    const { tell } = recorder;
    const stage = () => ({ world, gateway, wallClock, tell, random: world.random.fork() });
    this.#household = new Household({
      ...stage(),
      ...{ broker, climateDays, devices: 12, messages: 60 },
    });
    this.#actors = [
      this.#household,
      new People({ ...stage(), table, names: ['anna', 'bo'] }),
      new CatalogUsers({ ...stage(), table, delays, users: 3, steps: 9 }),
    ];
    this.#watch = world.random.fork();
    this.#faultContext = { system, tell, random: world.random.fork() };
  }

  async play(days: number): Promise<void> {
    const { faults } = this.#recorder;
    try {
      await this.#untilReady();
      for (let day = 1; day <= days; day++) await this.#day(day);
      await this.#system.pass(quietMs);
      faults.push(...faultsOfIdle(this.#system));
      const units = new UnitsAudit(this.#system);
      faults.push(...(await this.#system.play('counting units', () => units.begin())));
      for (const actor of this.#actors) {
        faults.push(
          ...(await this.#system.play(`the check of ${actor.name}`, () => actor.check())),
        );
      }
      faults.push(...(await this.#system.play('the whole table', () => this.#checkTable())));
      faults.push(...(await this.#system.play('counting units', () => units.end())));
      faults.push(...(await this.#system.play('prices', () => faultsOfPrices(this.#system))));
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      faults.push(error.message, ...this.#system.deployment.unready);
    }
  }

  #checkTable(): Promise<string[]> {
    const devices = new Set(this.#household.ledger.devices);
    return faultsOfTable(this.#system, { devices, isType: isCatalogType });
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
      const isEnough = () => isOver;
      const acts = this.#actors.map((actor) => actor.act());
      await Promise.all([
        Promise.all(acts).then(() => (isOver = true)),
        injectFaults(this.#faultContext, { everyMs: faultEveryMs, isEnough }),
        watchBounds(this.#system, { random: this.#watch, isEnough }),
      ]);
    });
    await this.#system.pass(3000);
    world.leap(dayMs - (world.now() % dayMs));
    await this.#system.pass(1000);
  }
}
