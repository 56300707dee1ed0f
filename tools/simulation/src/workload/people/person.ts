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

/** What somebody does in one busy time of a day: a request or two each. */
const stepsADay = 9;
/** Milliseconds after which no more is begun: where requests fail, a day would have more faults than others. */
const longestActMs = 8000;
/** Milliseconds between two steps at most. */
const longestPauseMs = 600;

/** Somebody with homes, rooms and devices that nobody else changes. */
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
    const end = world.now() + longestActMs;
    for (const { random, begin } of steps.next(stepsADay)) {
      if (world.now() >= end) break;
      const pauseMs = random.integer(1, longestPauseMs);
      if (begin()) await this.#step(random);
      await gateway.sleep(pauseMs);
    }
  }

  /** Reads all of it. @throws Violation where something is not as it must be */
  async check(): Promise<void> {
    const { writer } = this.#context;
    for (const gadget of this.gadgets) {
      if (gadget.thing.incarnation && !(await gadget.hasLeft(writer))) {
        throw new Violation(`${gadget.id} is still at ${JSON.stringify(gadget.leaving)}`);
      }
      await gadget.check(writer);
    }
    for (const home of this.homes) {
      for (const thing of home.things) await writer.check(thing);
      await home.checkCollection(writer, this.gadgets);
    }
  }

  /** What is wrong with the readings of all devices, in words. */
  async violationsOfReadings(): Promise<string[]> {
    const violations: string[] = [];
    const steps = { ...this.#context, homes: this.homes };
    for (const gadget of this.gadgets)
      violations.push(...(await violationsOfSeries(steps, gadget)));
    return violations;
  }

  /** Deletes all of it. */
  async leave(): Promise<void> {
    const { writer } = this.#context;
    for (const { place } of this.homes) if (place.incarnation) await writer.remove(place);
    for (const { thing, memberships } of this.gadgets) {
      // Its place is taken away from it by now or later, so its version is not known.
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
    const { writer, tell } = this.#context;
    const { place } = home;
    if (!writer.isSettled(place)) return;
    if (place.incarnation === undefined) {
      const isThere = await writer.create(place, describeThing(random));
      tell(`${place.path} is ${isThere ? 'created' : 'still being erased'}`);
      if (isThere) await this.#checkNew(home);
    } else if (random.chance(0.06) && home.isSettled(writer)) {
      if (place.isVersionUnknown) await writer.check(place);
      tell(`${place.path} is deleted`);
      await home.remove(writer);
      this.#takeAwayFrom({ place: home.id });
    } else if (random.chance(0.3)) {
      await changeThing(writer, place, random);
      if (random.chance(0.3)) await home.checkCollection(writer, this.gadgets);
    } else await this.#changeRoom(home, random.pick([...home.rooms]), random);
  }

  /** Nothing of a former place of that id is there. */
  async #checkNew(home: Home): Promise<void> {
    const { writer } = this.#context;
    for (const gadget of this.gadgets) {
      if (gadget.leaving?.place !== home.id || (await gadget.hasLeft(writer))) continue;
      throw new Violation(`${gadget.id} is still at ${home.id}, which was created again`);
    }
    await home.checkCollection(writer, this.gadgets);
  }

  async #changeRoom(home: Home, [name, room]: [string, Resource], random: Random): Promise<void> {
    const { writer, tell } = this.#context;
    if (!writer.isSettled(room)) return;
    if (room.incarnation === undefined) {
      const isThere = await writer.create(room, describeThing(random));
      tell(`${room.path} is ${isThere ? 'created' : 'still being erased'}`);
    } else if (random.chance(0.1)) {
      tell(`${room.path} is deleted`);
      if (room.isVersionUnknown) await writer.check(room);
      await writer.remove(room);
      this.#takeAwayFrom({ place: home.id, room: name });
    } else await changeThing(writer, room, random);
  }

  #takeAwayFrom(from: Location): void {
    for (const gadget of this.gadgets) if (gadget.thing.incarnation) gadget.beginLeaving(from);
  }
}
