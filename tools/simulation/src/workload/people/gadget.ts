import { Violation } from '../../world/violation.ts';
import { Series } from '../../oracles/series.ts';
import { MembershipHistory } from '../../oracles/membership-history.ts';
import { describe } from '../../world/gateway.ts';
import { isProblem } from './conditional-writer.ts';
import { Resource } from './resource.ts';
import type { Location } from '../../oracles/membership-history.ts';
import type { HttpResponse } from '../../world/http-client.ts';
import type { ConditionalWriter } from './conditional-writer.ts';

/** The location in a response about a device. */
interface ShownLocation {
  place?: string;
  room?: string;
  since?: string;
}

export interface MoveOptions {
  to: Location;
  /** Epoch milliseconds; by default now. */
  since?: number;
  /** The world's wall clock (epoch milliseconds). */
  now: number;
}

/** Milliseconds by which the time of a move may be off, because of clock differences and late requests. */
const toleranceMs = 300_000;

/** A device that one person places and moves. */
export class Gadget {
  readonly id: string;
  readonly thing: Resource;
  /** Whether its readings are imported, months after they were measured. */
  readonly isImported: boolean;
  memberships = new MembershipHistory();
  series = new Series();
  /** The last act in which its readings, corrections or attributes may have changed. */
  changedInAct = 0;
  /** The location that is being purged, until the service removes the device from it. */
  leaving: Location | undefined;

  constructor(id: string, isImported: boolean) {
    this.id = id;
    this.isImported = isImported;
    this.thing = new Resource(`/v1/devices/${id}`, [
      'name',
      'kind',
      'status',
      'labels',
      'metadata',
    ]);
  }

  /** Resets the model for a new device with the same id. */
  beginAgain(act: number): void {
    this.memberships = new MembershipHistory();
    this.series = new Series();
    this.leaving = undefined;
    this.changedInAct = act;
  }

  /** Whether query must return its readings. */
  get isShown(): boolean {
    return this.thing.incarnation?.content['status'] === 'active';
  }

  /** @throws Violation if the move is rejected */
  async move(writer: ConditionalWriter, { to, since, now }: MoveOptions): Promise<void> {
    const { place, room } = to;
    const { location, since: former } = this.memberships;
    const isUnmoved = location?.place === place && location.room === room;
    const path = `/v1/places/${place}/devices/${this.id}`;
    const body = { ...(room !== undefined && { room }), ...(since !== undefined && { since }) };
    const { answer, isFirst } = await writer.send({
      method: 'PUT',
      path,
      body,
      headers: this.#headers,
    });
    const isLate = !isFirst && answer.status === 412;
    if (answer.status !== 200 && !isLate) throw new Violation(`PUT ${path}: ${describe(answer)}`);
    const shown = await this.#readLocation(writer, isUnmoved ? 0 : 1);
    if (shown.place !== place || shown.room !== room) throw this.#elsewhere(shown, path);
    const shownSince = Date.parse(shown.since ?? '');
    const wanted = isUnmoved ? former : since;
    const isRight =
      wanted === undefined ? Math.abs(shownSince - now) < toleranceMs : shownSince === wanted;
    if (!isRight) throw new Violation(`PUT ${path} ${JSON.stringify(body)}: since ${shown.since}`);
    this.memberships.move(to, shownSince);
  }

  async takeAway(writer: ConditionalWriter): Promise<void> {
    const { location } = this.memberships;
    if (location === undefined) return;
    const path = `/v1/places/${location.place}/devices/${this.id}`;
    const { answer, isFirst } = await writer.send({
      method: 'DELETE',
      path,
      headers: this.#headers,
    });
    const isLate = !isFirst && answer.status === 412;
    if (answer.status !== 204 && !isLate)
      throw new Violation(`DELETE ${path}: ${describe(answer)}`);
    const shown = await this.#readLocation(writer, 1);
    if (shown.place !== undefined) throw this.#elsewhere(shown, path);
    this.memberships.move(undefined, Date.parse(shown.since ?? ''));
  }

  /** Checks that a move to a missing place or room is rejected. */
  async moveToNowhere(writer: ConditionalWriter, { place, room }: Location): Promise<void> {
    const path = `/v1/places/${place}/devices/${this.id}`;
    const body = { ...(room !== undefined && { room }) };
    const { answer } = await writer.send({ method: 'PUT', path, body, headers: this.#headers });
    const isRefused =
      isProblem(answer, 404, 'place-not-found') || isProblem(answer, 404, 'room-not-found');
    if (!isRefused) throw new Violation(`PUT ${path} ${JSON.stringify(body)}: ${describe(answer)}`);
    await writer.check(this.thing);
  }

  /** Sends two concurrent moves of one version: exactly one must succeed. */
  async raceTo(writer: ConditionalWriter, targets: readonly Location[]): Promise<void> {
    const settled = await Promise.all(
      targets.map(({ place, room }) => {
        const path = `/v1/places/${place}/devices/${this.id}`;
        return writer.send({ method: 'PUT', path, body: { room }, headers: this.#headers });
      }),
    );
    const texts = settled.map(({ answer }) => describe(answer)).join(' and ');
    const won = settled.filter(({ answer }) => answer.status === 200).length;
    const isOdd = settled.some(({ answer: { status } }) => status !== 200 && status !== 412);
    const isCertain = settled.every(({ isFirst }) => isFirst);
    if (isOdd || won > 1 || (won === 0 && isCertain)) {
      throw new Violation(`two concurrent moves of ${this.id}: ${texts}`);
    }
    const shown = await this.#readLocation(writer, 1);
    const winner = settled.findIndex(({ answer }) => answer.status === 200);
    const target = targets.find(
      ({ place, room }, index) =>
        (winner === -1 || winner === index) && place === shown.place && room === shown.room,
    );
    if (target === undefined) throw this.#elsewhere(shown, texts);
    this.memberships.move(target, Date.parse(shown.since ?? ''));
  }

  /** Notes the deletion of its place or room. */
  beginLeaving(from: Location): void {
    const { location } = this.memberships;
    this.memberships.forget(from);
    const isInside =
      location?.place === from.place && (from.room === undefined || location.room === from.room);
    if (isInside) this.leaving = from;
  }

  /**
   * Moves the device while the service removes it from a deleted location, which may change its version at any time.
   * @returns whether the device was moved
   */
  async moveWhileLeaving(writer: ConditionalWriter, to: Location): Promise<boolean> {
    if (await this.hasLeft(writer)) return false;
    const read = await writer.read(this.thing);
    const headers = { 'if-match': this.thing.shownIn(read).etag };
    const path = `/v1/places/${to.place}/devices/${this.id}`;
    const request = { method: 'PUT', path, body: { room: to.room }, headers };
    const { answer } = await writer.send(request);
    if (answer.status !== 200 && answer.status !== 412) {
      throw new Violation(`PUT ${path}: ${describe(answer)}`);
    }
    this.thing.isVersionUnknown = true;
    const shown = await this.#readLocation(writer, 0);
    const isMoved = shown.place === to.place && shown.room === to.room;
    if (!isMoved) {
      if (answer.status === 200) throw this.#elsewhere(shown, path);
      this.thing.isVersionUnknown = true;
      return false;
    }
    this.memberships.move(to, Date.parse(shown.since ?? ''));
    this.leaving = undefined;
    return true;
  }

  /** @returns whether the service has removed the device from its deleted location */
  async hasLeft(writer: ConditionalWriter): Promise<boolean> {
    const { leaving } = this;
    if (leaving === undefined) return true;
    const answer = await writer.read(this.thing);
    const { place, room, since } = JSON.parse(answer.text) as ShownLocation;
    if (place === leaving.place && (leaving.room === undefined || room === leaving.room)) {
      return false;
    }
    const to = leaving.room === undefined ? undefined : { place: leaving.place };
    if (place !== to?.place || room !== undefined)
      throw this.#elsewhere({ place, room }, 'leaving');
    this.thing.isVersionUnknown = true;
    this.#adopt(answer);
    this.memberships.move(to, Date.parse(since ?? ''));
    this.leaving = undefined;
    return true;
  }

  /** @throws Violation if the device differs from the expected state */
  async check(writer: ConditionalWriter): Promise<void> {
    await writer.check(this.thing);
    if (this.thing.incarnation === undefined) return;
    const shown = JSON.parse((await writer.read(this.thing)).text) as ShownLocation;
    const { location, since } = this.memberships;
    const isSame = shown.place === location?.place && shown.room === location?.room;
    const shownSince = shown.since === undefined ? undefined : Date.parse(shown.since);
    if (!isSame || shownSince !== since) throw this.#elsewhere(shown, 'reading it');
  }

  get #headers(): Record<string, string> {
    return { 'if-match': this.thing.incarnation?.etag ?? '*' };
  }

  async #readLocation(writer: ConditionalWriter, changes: number): Promise<ShownLocation> {
    const answer = await writer.read(this.thing);
    this.#adopt(answer, changes);
    return JSON.parse(answer.text) as ShownLocation;
  }

  #adopt(answer: HttpResponse, changes = 0): void {
    const { incarnation, isVersionUnknown } = this.thing;
    if (incarnation === undefined) throw new Error(`${this.id} does not exist`);
    this.thing.adopt(
      answer,
      incarnation.content,
      isVersionUnknown ? undefined : incarnation.version + changes,
    );
  }

  #elsewhere({ place, room, since }: ShownLocation, when: string): Violation {
    const wanted = JSON.stringify({ ...this.memberships.location, since: this.memberships.since });
    const where = JSON.stringify({ place, room, since });
    return new Violation(`${this.id} is at ${where} instead of ${wanted}: ${when}`);
  }
}
