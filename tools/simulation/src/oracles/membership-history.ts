/** A period that a device spent in a place, or in a room of the place (epoch milliseconds). */
export interface Membership {
  place: string;
  room?: string;
  since: number;
  /** Absent for the current membership. */
  until?: number;
}

export type Location = Pick<Membership, 'place' | 'room'>;

/** The memberships of a device in places and rooms, from its creation to its deletion. */
export class MembershipHistory {
  /** Memberships in places, regardless of the room. */
  #atPlaces: Membership[] = [];
  #inRooms: (Membership & { room: string })[] = [];
  #location: Location | undefined;
  /** Time of the last move or removal; undefined before the first. */
  since: number | undefined;

  get location(): Location | undefined {
    return this.#location;
  }

  move(to: Location | undefined, since: number): void {
    if (to?.place === this.#location?.place && to?.room === this.#location?.room) return;
    const room = this.#inRooms.find(({ until }) => until === undefined);
    if (room !== undefined) room.until = since;
    if (to?.place !== this.#location?.place) {
      const place = this.#atPlaces.find(({ until }) => until === undefined);
      if (place !== undefined) place.until = since;
      if (to !== undefined) this.#atPlaces.push({ place: to.place, since });
    }
    if (to?.room !== undefined) this.#inRooms.push({ place: to.place, room: to.room, since });
    this.#location = to;
    this.since = since;
  }

  /** Deletes the history of a deleted place or room. */
  forget({ place, room }: Location): void {
    const isOther = (membership: Membership) =>
      membership.place !== place || (room !== undefined && membership.room !== room);
    this.#inRooms = this.#inRooms.filter(isOther);
    if (room === undefined) this.#atPlaces = this.#atPlaces.filter(isOther);
  }

  /** The memberships in a place, or in a room of the place. */
  at({ place, room }: Location): Membership[] {
    const memberships = room === undefined ? this.#atPlaces : this.#inRooms;
    return memberships.filter(
      (membership) => membership.place === place && membership.room === room,
    );
  }

  /** Memberships in rooms, and the periods in places without a room, newest first. */
  get history(): Membership[] {
    const free = this.#atPlaces.flatMap((membership) => without(membership, this.#inRooms));
    return [...this.#inRooms, ...free].toSorted((one, other) => other.since - one.since);
  }
}

function without(whole: Membership, parts: readonly Membership[]): Membership[] {
  const left: Membership[] = [];
  const { place, until: end = Infinity } = whole;
  let { since } = whole;
  const within = parts.filter((part) => part.since >= since && part.since < end);
  for (const part of within.toSorted((one, other) => one.since - other.since)) {
    if (part.since > since) left.push({ place, since, until: part.since });
    since = part.until ?? Infinity;
  }
  if (since < end) left.push({ place, since, ...(end !== Infinity && { until: end }) });
  return left;
}
