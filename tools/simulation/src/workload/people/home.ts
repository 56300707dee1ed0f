import { Violation } from '../../world/violation.ts';
import { isProblem } from './conditional-writer.ts';
import { describeThing, drawChange } from './descriptions.ts';
import { Resource } from './resource.ts';
import type { Random } from '../../kernel/index.ts';
import type { Gadget } from './gadget.ts';
import type { ConditionalWriter } from './conditional-writer.ts';

const roomNames = ['kitchen', 'hall', 'bath'] as const;

interface CollectionDevice {
  device: string;
  name: unknown;
  kind: unknown;
  room?: string | undefined;
  since: string | undefined;
}

/** The rooms and devices in a response about a place. */
interface Collection {
  rooms: { id: string; version: number }[];
  devices: CollectionDevice[];
}

/** A place with its rooms. */
export class Home {
  readonly id: string;
  readonly place: Resource;
  readonly rooms: ReadonlyMap<string, Resource>;

  constructor(id: string) {
    this.id = id;
    this.place = new Resource(`/v1/places/${id}`);
    this.rooms = new Map(roomNames.map((room) => [room, new Resource(`/v1/rooms/${id}/${room}`)]));
  }

  get things(): Resource[] {
    return [this.place, ...this.rooms.values()];
  }

  /** Whether the results of all requests for its rooms are known, so that the place may be deleted. */
  isSettled(writer: ConditionalWriter): boolean {
    return this.things.every((thing) => writer.isSettled(thing));
  }

  /** Deletes the place with its rooms. */
  async remove(writer: ConditionalWriter): Promise<void> {
    await writer.remove(this.place);
    for (const room of this.rooms.values()) room.begin(undefined);
  }

  /** Compares the rooms and devices in the response of the place with the expected ones. */
  async checkCollection(writer: ConditionalWriter, gadgets: readonly Gadget[]): Promise<void> {
    const answer = await writer.read(this.place);
    if (this.place.incarnation === undefined) {
      if (!isProblem(answer, 404, 'place-not-found')) throw this.#unexpected(answer.text);
      return;
    }
    const { rooms, devices } = JSON.parse(answer.text) as Collection;
    // A creation that timed out may have taken effect.
    const isSure = [...this.rooms.values()].every(
      (room) =>
        writer.isSettled(room) && !room.isVersionUnknown && room.unconfirmedCreation === undefined,
    );
    const known = [...this.rooms].flatMap(([id, { incarnation }]) =>
      incarnation === undefined ? [] : [`${id} ${incarnation.version}`],
    );
    const shown = rooms.map(({ id, version }) => `${id} ${version}`);
    if (isSure) this.#compare('rooms', shown, known.toSorted());
    const own = gadgets.filter(({ memberships }) => memberships.location?.place === this.id);
    if (own.some(({ leaving }) => leaving !== undefined)) return;
    const wanted = own.map(({ id, thing, memberships: { location, since } }) => {
      const { name, kind } = thing.incarnation?.content ?? {};
      return rowOf({ device: id, name, kind, room: location?.room, since: toIso(since) });
    });
    this.#compare('devices', devices.map(rowOf), wanted.toSorted());
  }

  #compare(what: string, shown: readonly string[], wanted: readonly string[]): void {
    if (shown.join() === wanted.join()) return;
    throw this.#unexpected(`${what} ${shown.join()} instead of ${wanted.join()}`);
  }

  #unexpected(text: string): Violation {
    return new Violation(`${this.place.path} differs from the expected state: ${text}`);
  }
}

const rowOf = ({ device, name, kind, room, since }: CollectionDevice): string =>
  JSON.stringify([device, name, kind, room, since]);

const toIso = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString();

/** One step of a person with an existing resource. */
export async function changeThing(
  writer: ConditionalWriter,
  thing: Resource,
  random: Random,
  describe = describeThing,
): Promise<void> {
  if (thing.isVersionUnknown) await writer.check(thing);
  const content = thing.incarnation?.content ?? {};
  const kind = random.fraction();
  if (kind < 0.15) {
    const changes = [drawChange(random, content, describe), drawChange(random, content, describe)];
    await writer.race(thing, changes as [(typeof changes)[0], (typeof changes)[0]]);
  } else if (kind < 0.3) {
    await writer.check(thing);
  } else if (kind < 0.45 && thing.formerEtags.length > 0) {
    await writer.useFormerTag(thing, { name: 'Renamed with a former ETag' }, random);
  } else await writer.change(thing, drawChange(random, content, describe));
}
