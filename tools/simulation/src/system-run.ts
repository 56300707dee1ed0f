import { injectFaults } from './faults/inject-faults.ts';
import { wallClock } from './kernel/index.ts';
import { violationsOfIdle, watchBounds } from './oracles/bounds.ts';
import { violationsOfPrices } from './oracles/prices.ts';
import { UnitsAudit } from './oracles/units-audit.ts';
import { violationsOfTable } from './oracles/whole-table.ts';
import { Violation } from './world/violation.ts';
import { PlanParts } from './plan.ts';
import { CatalogUsers } from './workload/catalog/catalog-users.ts';
import { isCatalogType } from './workload/catalog/catalog-types.ts';
import { Household } from './workload/devices/household.ts';
import { People } from './workload/people/people.ts';
import { ActorSteps } from './workload/steps.ts';
import type { Random } from './kernel/index.ts';
import type { FaultContext } from './faults/fault.ts';
import type { Plan } from './plan.ts';
import type { PlayedParts, Recorder } from './recorder.ts';
import type { Actor, ActorContext } from './workload/actor.ts';
import type { System } from './world/system.ts';

const dayMs = 86_400_000;
/** Mean milliseconds between two faults; one value is drawn per day, so that some days have many faults. */
const faultEveryMs = [2000, 8000, 8000, 15_000] as const;
/** Maximum milliseconds until started services are ready. */
const startMs = 300_000;
/**
 * A period without faults, long enough for all pending work: deletions take two minutes, claims of
 * killed replicas expire after one, parked blocks of an ended replica are adopted after two and a
 * half, and a HiveMQ group continues 99 s after a kill. The machines are suspended for most of the
 * period, since polling costs real time.
 */
const quiet = { times: 5, suspendedMs: 60_000, awakeMs: 6000, lastMs: 12_000 };
/** Probabilities that an actor acts on a day, and that a day other than the first and last has no faults. */
const probabilities = { acts: 0.4, calm: 0.03 };

/** The run of one simulated system: actors act under faults on each day; all oracles check the system at the end. */
export class SystemRun {
  readonly #system: System;
  readonly #recorder: Recorder;
  readonly #plan: Plan;
  readonly #household: Household;
  readonly #actors: readonly Actor[];
  /** Actors that have acted at least once. */
  readonly #acted = new Set<Actor>();
  readonly #steps = new Map<string, ActorSteps>();
  readonly #dayRandom: Random;
  readonly #watch: Random;
  readonly #faultContext: FaultContext;
  readonly #faultParts: PlanParts;
  readonly #checked: string[] = [];
  #day = 0;

  constructor(system: System, recorder: Recorder, plan: Plan) {
    this.#system = system;
    this.#recorder = recorder;
    this.#plan = plan;
    const { world, broker, table, delays, scale, deployment } = system;
    this.#household = new Household({
      ...this.#stage('devices'),
      ...{ broker, table, scale, devices: 12, messages: 40 },
      isServed: (clientId) => deployment.isServed(clientId),
      renewSessions: () => system.renewSessions(),
    });
    const catalog = { table, delays, users: 3, stepsEach: 6 };
    this.#actors = [
      this.#household,
      new People({ ...this.#stage('people'), table, names: ['anna', 'bo'] }),
      new CatalogUsers({ ...this.#stage('users of the catalog'), ...catalog }),
    ];
    this.#dayRandom = world.random.fork();
    this.#watch = world.random.fork();
    this.#faultContext = { system, narrate: recorder.narrate, random: world.random.fork() };
    this.#faultParts = new PlanParts(plan.faults);
  }

  /** The executed parts of the plan. */
  get played(): PlayedParts {
    const steps = [...this.#acted].map(({ name }) => [
      name,
      this.#steps.get(name)?.parts.done ?? [],
    ]);
    return {
      days: this.#day,
      faults: this.#faultParts.done,
      checks: this.#checked,
      steps: Object.fromEntries(steps) as PlayedParts['steps'],
    };
  }

  async play(): Promise<void> {
    try {
      await this.#untilReady();
      while (this.#day < this.#plan.days) await this.#playDay(++this.#day);
      await this.#check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      const { unready } = this.#system.deployment;
      this.#recorder.violations.push(error.message, ...unready);
    }
  }

  /** The dependencies of an actor. The random numbers of an actor do not depend on other actors. */
  #stage(name: string): ActorContext {
    const { world, gateway } = this.#system;
    const { narrate } = this.#recorder;
    const random = world.random.fork();
    const steps = new ActorSteps(world.random.fork(), this.#plan.steps?.[name]);
    this.#steps.set(name, steps);
    return { world, gateway, wallClock, narrate, random, steps };
  }

  #takesPart({ name }: Actor): boolean {
    const { steps } = this.#plan;
    return steps === undefined || steps[name] !== undefined;
  }

  async #settle(): Promise<void> {
    const { times, suspendedMs, awakeMs } = quiet;
    for (let time = 0; time < times; time++) {
      await this.#system.pass(awakeMs);
      this.#system.world.leap(suspendedMs);
    }
    await this.#system.pass(quiet.lastMs);
  }

  async #untilReady(): Promise<void> {
    const { deployment, gateway } = this.#system;
    const wait = async () => {
      while (deployment.unready.length > 0) await gateway.sleep(1000);
    };
    await this.#system.play('all services become ready', wait, startMs);
  }

  /** Waits without faults until all pending work has ended; then actors check that requests complete in time. */
  async #calm(): Promise<void> {
    await this.#settle();
    this.#recorder.narrate('a calm period without faults begins');
    await this.#system.play('a calm period', async () => {
      await Promise.all([...this.#acted].map(async (actor) => actor.actCalmly?.()));
    });
  }

  async #playDay(day: number): Promise<void> {
    this.#recorder.narrate(`day ${day}`);
    const random = this.#dayRandom.fork();
    const isCalm = day > 1 && day < this.#plan.days && random.chance(probabilities.calm);
    await (isCalm ? this.#calm() : this.#busyTime(day, random));
    await this.#night();
  }

  async #busyTime(day: number, random: Random): Promise<void> {
    await this.#system.play(`day ${day}`, async () => {
      let isOver = false;
      const everyMs = random.pick(faultEveryMs);
      const isEnough = () => isOver;
      const options = { day, parts: this.#faultParts, everyMs, isEnough };
      for (const steps of this.#steps.values()) steps.beginDay(day);
      const acting = this.#actors.filter(
        (actor) => random.chance(probabilities.acts) && this.#takesPart(actor),
      );
      for (const actor of acting) this.#acted.add(actor);
      if (acting.length === 0) return;
      const acts = Promise.all(acting.map((actor) => actor.act())).finally(() => (isOver = true));
      const injecting = injectFaults(this.#faultContext, options);
      const watching = watchBounds(this.#system, { random: this.#watch, isEnough });
      // The fault injector and the bounds check stop by themselves later; the day does not wait for them.
      await Promise.race([acts, Promise.all([injecting, watching]).then(() => acts)]);
      if (this.#faultParts.isPending(day)) await injecting;
    });
  }

  /** Suspends all machines until the next day. */
  async #night(): Promise<void> {
    const { world } = this.#system;
    await this.#system.pass(700);
    world.leap(dayMs - (world.now() % dayMs));
    await this.#system.pass(1000);
  }

  async #check(): Promise<void> {
    const { checks } = this.#plan;
    const checked = [...this.#acted].filter(({ name }) => checks?.includes(name) ?? true);
    if (checked.length === 0) return;
    await this.#calm();
    await this.#system.pass(quiet.lastMs);
    await this.#audit(async () => {
      for (const actor of checked) {
        this.#checked.push(actor.name);
        await this.#find(`the check of ${actor.name}`, () => actor.check());
      }
    });
    if (checked.includes(this.#household)) {
      await this.#find('replayed messages', () => this.#household.checkReplays());
    }
    if (checked.length < this.#actors.length) return;
    const devices = new Set(this.#household.ledger.devices);
    const known = { devices, isType: isCatalogType };
    await this.#find('the whole table', () => violationsOfTable(this.#system, known));
    await this.#find('prices', () => violationsOfPrices(this.#system));
  }

  /** Checks the resources of idle replicas, and the capacity units of `work`. */
  async #audit(work: () => Promise<void>): Promise<void> {
    this.#recorder.violations.push(...violationsOfIdle(this.#system));
    const units = new UnitsAudit(this.#system);
    await this.#find('counting units', () => units.begin());
    await work();
    await this.#find('counting units', () => units.end());
  }

  async #find(what: string, violationsOf: () => Promise<string[]>): Promise<void> {
    this.#recorder.violations.push(...(await this.#system.play(what, violationsOf)));
  }
}
