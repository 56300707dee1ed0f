import { changeThing } from './home.ts';
import { describeDevice } from './descriptions.ts';
import { dayMs, importFrom, stepWithReadings } from './meter-steps.ts';
import type { Location } from '../../oracles/membership-history.ts';
import type { GadgetContext } from './gadget-context.ts';
import type { Gadget } from './gadget.ts';

/** One step of a person with one of their devices. */
export async function stepWithGadget(steps: GadgetContext, gadget: Gadget): Promise<void> {
  const { random, writer, narrate } = steps;
  const { thing } = gadget;
  if (!writer.isSettled(thing)) return;
  if (thing.incarnation === undefined) {
    gadget.beginAgain(writer.act);
    const isCreated = await writer.create(thing, describeDevice(random));
    narrate(`${thing.path} is ${isCreated ? 'registered' : 'not registered: a purge is running'}`);
    return;
  }
  const there = locations(steps, true);
  if (gadget.leaving !== undefined && there.length > 0 && random.chance(0.5)) {
    const to = random.pick(there);
    const isMoved = await gadget.moveWhileLeaving(writer, to);
    narrate(
      `${gadget.id} is ${isMoved ? 'moved' : 'not moved'} to ${nameOf(to)} while its location is purged`,
    );
  }
  if (!(await gadget.hasLeft(writer))) return;
  if (thing.isVersionUnknown) await writer.check(thing);
  if (random.chance(0.03)) {
    narrate(`${thing.path} is deleted`);
    await writer.remove(thing);
    gadget.beginAgain(writer.act);
  } else if (random.chance(gadget.isImported ? 0.6 : 0.4)) await stepWithReadings(steps, gadget);
  else if (random.chance(0.7)) await moveSomewhere(steps, gadget);
  else if (random.chance(0.2)) await gadget.check(writer);
  else {
    await changeThing(writer, thing, random, describeDevice);
    gadget.changedInAct = writer.act;
  }
}

async function moveSomewhere(steps: GadgetContext, gadget: Gadget): Promise<void> {
  const { random, writer, narrate, wallClock } = steps;
  const { location } = gadget.memberships;
  const now = wallClock();
  const there = locations(steps, true);
  const elsewhere = there.filter((one) => !isSame(one, location));
  const absent = locations(steps, false);
  // A move at the current time would end the imported history of a meter, which grows by backdated moves.
  const kind = gadget.isImported && random.chance(0.9) ? 1 : random.fraction();
  if (kind < 0.15 && location !== undefined) {
    narrate(`${gadget.id} is removed from ${location.place}`);
    await gadget.takeAway(writer);
  } else if (kind < 0.25 && absent.length > 0) {
    await gadget.moveToNowhere(writer, random.pick(absent));
  } else if (kind < 0.4 && elsewhere.length > 1) {
    const [one, other] = drawTwo(steps, elsewhere);
    narrate(`${gadget.id} is moved to ${nameOf(one)} and concurrently to ${nameOf(other)}`);
    await gadget.raceTo(writer, [one, other]);
  } else if (there.length > 0) {
    const to = random.pick(there);
    const from = drawSince(steps, gadget);
    narrate(`${gadget.id} is moved to ${nameOf(to)}`);
    await gadget.move(writer, { to, now, ...(from !== undefined && { since: from }) });
  }
}

/** Draws a time after the last move, and before now by more than the clock tolerance; undefined for now. */
function drawSince({ random, wallClock }: GadgetContext, gadget: Gadget): number | undefined {
  const latest = wallClock() - 600_000;
  const { since = gadget.isImported ? importFrom : latest - 5 * dayMs } = gadget.memberships;
  const isBackdated = gadget.isImported || random.chance(0.4);
  if (!isBackdated || since >= latest) return undefined;
  const end = gadget.isImported ? Math.min(latest, since + 12 * dayMs) : latest;
  return random.integer(since + 1, end);
}

/** Places and rooms that certainly exist, or certainly do not. */
function locations({ homes, writer }: GadgetContext, shouldExist: boolean): Location[] {
  return homes.flatMap(({ id, place, rooms }) => {
    const own = [{ thing: place, location: { place: id } as Location }];
    for (const [room, thing] of rooms) own.push({ thing, location: { place: id, room } });
    return own.flatMap(({ thing, location }) => {
      const isSure = writer.isSettled(thing) && thing.unconfirmedCreation === undefined;
      const exists = thing.incarnation !== undefined;
      return exists === shouldExist && (exists || isSure) ? [location] : [];
    });
  });
}

function drawTwo({ random }: GadgetContext, all: readonly Location[]): [Location, Location] {
  const one = random.pick(all);
  return [one, random.pick(all.filter((other) => other !== one))];
}

const isSame = (one: Location, other: Location | undefined) =>
  one.place === other?.place && one.room === other.room;

const nameOf = ({ place, room }: Location) => (room === undefined ? place : `${place}/${room}`);
