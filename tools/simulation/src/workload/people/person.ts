import { Violation } from '../../world/violation.ts';
import { describeThing } from './descriptions.ts';
import { Gadget } from './gadget.ts';
import { stepWithGadget } from './gadget-steps.ts';
import { violationsOfSeries } from './meter-steps.ts';
import { changeThing, Home } from './home.ts';
import type { Random } from '../../kernel/index.ts';
import type { Location } from '../../oracles/membership-history.ts';
import type { ActorContext } from '../actor.ts';
import type { ConditionalWriter } from './conditional-writer.ts';
import type { Resource } from './resource.ts';

export interface PersonOptions extends ActorContext {
  name: string;
  writer: ConditionalWriter;
}

/** Number of steps per day, with one or two requests each. */
const stepsADay = 9;
/** Milliseconds after which no further step begins, so that failing requests do not prolong a day and its faults. */
const maxActMs = 8000;
/** Maximum milliseconds between two steps. */
const maxPauseMs = 600;

/** A person with homes, rooms and devices that no other actor changes. */
export class Person {
  readonly homes: readonly Home[];
  readonly gadgets: readonly Gadget[];
  readonly #context: PersonOptions;

  constructor(context: PersonOptions) {
    const { name } = context;
    this.#context = context;
    this.homes = [new Home(`${name}-house`), new Home(`${name}-cabin`)];
    this.gadgets = ['lamp', 'door', 'meter'].map(
      (kind) => new Gadget(`${name}-${kind}`, kind === 'meter'),
    );
  }

  async act(): Promise<void> {
    const { steps, gateway, world } = this.#context;
    const end = world.now() + maxActMs;
    for (const { random, begin } of steps.next(stepsADay)) {
      if (world.now() >= end) break;
      const pauseMs = random.integer(1, maxPauseMs);
      if (begin()) await this.#step(random);
      await gateway.sleep(pauseMs);
    }
  }

  /** Reads all resources. @throws Violation if one differs from the expected state */
  async check(): Promise<void> {
    const { writer } = this.#context;
    for (const gadget of this.gadgets) {
      if (gadget.thing.incarnation && !(await gadget.hasLeft(writer))) {
        throw new Violation(
          `${gadget.id} is still in a deleted location: ${JSON.stringify(gadget.leaving)}`,
        );
      }
      await gadget.check(writer);
    }
    for (const home of this.homes) {
      for (const thing of home.things) await writer.check(thing);
      await home.checkCollection(writer, this.gadgets);
    }
  }

  /** Compares the readings of all devices with the expected ones. */
  async violationsOfReadings(): Promise<string[]> {
    const violations: string[] = [];
    const steps = { ...this.#context, homes: this.homes };
    for (const gadget of this.gadgets)
      violations.push(...(await violationsOfSeries(steps, gadget)));
    return violations;
  }

  /** Deletes all resources. */
  async leave(): Promise<void> {
    const { writer } = this.#context;
    for (const { place } of this.homes) if (place.incarnation) await writer.remove(place);
    for (const { thing, memberships } of this.gadgets) {
      // The service removes the device from its deleted place, which changes its version at any time.
      if (thing.incarnation) await writer.send({ method: 'DELETE', path: thing.path });
      memberships.move(undefined, 0);
    }
  }

  #step(random: Random): Promise<void> {
    if (random.chance(0.4)) return this.#changeHome(random.pick(this.homes), random);
    const steps = { ...this.#context, random, homes: this.homes };
    return stepWithGadget(steps, random.pick(this.gadgets));
  }

  async #changeHome(home: Home, random: Random): Promise<void> {
    const { writer, narrate } = this.#context;
    const { place } = home;
    if (!writer.isSettled(place)) return;
    if (place.incarnation === undefined) {
      const isCreated = await writer.create(place, describeThing(random));
      narrate(`${place.path} is ${isCreated ? 'created' : 'not created: a purge is running'}`);
      if (isCreated) await this.#checkNew(home);
    } else if (random.chance(0.06) && home.isSettled(writer)) {
      if (place.isVersionUnknown) await writer.check(place);
      narrate(`${place.path} is deleted`);
      await home.remove(writer);
      this.#takeAwayFrom({ place: home.id });
    } else if (random.chance(0.3)) {
      await changeThing(writer, place, random);
      if (random.chance(0.3)) await home.checkCollection(writer, this.gadgets);
    } else await this.#changeRoom(home, random.pick([...home.rooms]), random);
  }

  /** Checks that a recreated place has no rooms or devices of its predecessor. */
  async #checkNew(home: Home): Promise<void> {
    const { writer } = this.#context;
    for (const gadget of this.gadgets) {
      if (gadget.leaving?.place !== home.id || (await gadget.hasLeft(writer))) continue;
      throw new Violation(`${gadget.id} is still at ${home.id}, which was recreated`);
    }
    await home.checkCollection(writer, this.gadgets);
  }

  async #changeRoom(home: Home, [name, room]: [string, Resource], random: Random): Promise<void> {
    const { writer, narrate } = this.#context;
    if (!writer.isSettled(room)) return;
    if (room.incarnation === undefined) {
      const isCreated = await writer.create(room, describeThing(random));
      narrate(`${room.path} is ${isCreated ? 'created' : 'not created: a purge is running'}`);
    } else if (random.chance(0.1)) {
      narrate(`${room.path} is deleted`);
      if (room.isVersionUnknown) await writer.check(room);
      await writer.remove(room);
      this.#takeAwayFrom({ place: home.id, room: name });
    } else await changeThing(writer, room, random);
  }

  #takeAwayFrom(from: Location): void {
    for (const gadget of this.gadgets) if (gadget.thing.incarnation) gadget.beginLeaving(from);
  }
}
