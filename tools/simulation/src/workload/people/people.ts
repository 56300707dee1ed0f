import { itemsOf } from '../../oracles/remaining-items.ts';
import { ConditionalWriter } from './conditional-writer.ts';
import { violationsOfLists } from './check-lists.ts';
import { violationsOfMemberships } from './check-memberships.ts';
import { violationsOfLocations } from './check-locations.ts';
import { Person } from './person.ts';
import type { TableModel } from '../../table/index.ts';
import type { Actor, ActorContext } from '../actor.ts';

export interface PeopleOptions extends ActorContext {
  table: TableModel;
  /** Names of people, with which the ids of their resources begin. */
  names: readonly string[];
}

/** Maximum milliseconds until all items of deleted resources are purged. */
const erasedWithinMs = 600_000;

/** Several people with homes and devices in the registry. Each person changes only their own. */
export class People implements Actor {
  readonly name = 'people';
  readonly #context: PeopleOptions;
  readonly #writer: ConditionalWriter;
  readonly #people: readonly Person[];

  constructor(context: PeopleOptions) {
    this.#context = context;
    this.#writer = new ConditionalWriter(context);
    this.#people = context.names.map(
      (name) =>
        new Person({ ...context, name, writer: this.#writer, random: context.random.fork() }),
    );
  }

  async act(): Promise<void> {
    this.#writer.act++;
    await Promise.all(this.#people.map((person) => person.act()));
  }

  async check(): Promise<string[]> {
    this.#writer.act += 10; // No request is pending.
    for (const person of this.#people) await person.check();
    const homes = this.#people.flatMap((person) => person.homes);
    const gadgets = this.#people.flatMap((person) => person.gadgets);
    const violations = [
      ...(await violationsOfLists(this.#context, homes, gadgets)),
      ...(await violationsOfMemberships(this.#context, homes, gadgets)),
    ];
    for (const person of this.#people) violations.push(...(await person.violationsOfReadings()));
    violations.push(...(await violationsOfLocations(this.#context, homes, gadgets)));
    for (const person of this.#people) await person.leave();
    return [...violations, ...(await this.#orphanedRows())];
  }

  async #orphanedRows(): Promise<string[]> {
    const { world, gateway, table } = this.#context;
    const end = world.now() + erasedWithinMs;
    const own = this.#people.flatMap(({ homes, gadgets }) => [...homes, ...gadgets]);
    const ids = new Set(own.map(({ id }) => id));
    // Compares whole ids, since a hash in a key may have the same prefix.
    const isOwn = (id: string) => ids.has(id);
    for (;;) {
      const left = itemsOf(table, isOwn);
      if (left.length === 0) return [];
      if (world.now() > end)
        return left.slice(0, 5).map(({ key }) => `an item of a deleted resource remains: ${key}`);
      await gateway.sleep(20_000);
    }
  }
}
