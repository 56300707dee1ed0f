import { changeThing } from './home.ts';
import { describeDevice } from './descriptions.ts';
import { dayMs, importFrom, stepWithReadings } from './meter-steps.ts';
import type { Location } from '../../oracles/membership-history.ts';
import type { GadgetContext } from './gadget-context.ts';
import type { Gadget } from './gadget.ts';

/** Something that somebody does with one of their devices. */
export async function stepWithGadget(steps: GadgetContext, gadget: Gadget): Promise<void> {
  const { random, writer, tell } = steps;
  const { thing } = gadget;
  if (!writer.isSettled(thing)) return;
  if (thing.incarnation === undefined) {
    gadget.beginAgain(writer.act);
    const isThere = await writer.create(thing, describeDevice(random));
    tell(`${thing.path} is ${isThere ? 'registered' : 'still being erased'}`);
    return;
  }
  const there = locations(steps, true);
  if (gadget.leaving !== undefined && there.length > 0 && random.chance(0.5)) {
    const to = random.pick(there);
    const isMoved = await gadget.moveWhileLeaving(writer, to);
    tell(
      `${gadget.id} is ${isMoved ? 'moved' : 'not moved'} to ${nameOf(to)} while it is taken away`,
    );
  }
  if (!(await gadget.hasLeft(writer))) return;
  if (thing.isVersionUnknown) await writer.check(thing);
  if (random.chance(0.03)) {
    tell(`${thing.path} is deleted`);
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
  const { random, writer, tell, wallClock } = steps;
  const { location } = gadget.memberships;
  const now = wallClock();
  const there = locations(steps, true);
  const elsewhere = there.filter((one) => !isSame(one, location));
  const absent = locations(steps, false);
  // What happens now ends the history of a meter, which is told step by step.
  const kind = gadget.isImported && random.chance(0.9) ? 1 : random.fraction();
  if (kind < 0.15 && location !== undefined) {
    tell(`${gadget.id} is taken away from ${location.place}`);
    await gadget.takeAway(writer);
  } else if (kind < 0.25 && absent.length > 0) {
    await gadget.moveToNowhere(writer, random.pick(absent));
  } else if (kind < 0.4 && elsewhere.length > 1) {
    const [one, other] = drawTwo(steps, elsewhere);
    tell(`${gadget.id} is moved to ${nameOf(one)} and at once to ${nameOf(other)}`);
    await gadget.raceTo(writer, [one, other]);
  } else if (there.length > 0) {
    const to = random.pick(there);
    const from = drawSince(steps, gadget);
    tell(`${gadget.id} is moved to ${nameOf(to)}`);
    await gadget.move(writer, { to, now, ...(from !== undefined && { since: from }) });
  }
}

/** Behind the last move and before now by more than clocks are apart; undefined for now. */
function drawSince({ random, wallClock }: GadgetContext, gadget: Gadget): number | undefined {
  const latest = wallClock() - 600_000;
  const { since = gadget.isImported ? importFrom : latest - 5 * dayMs } = gadget.memberships;
  const isBackdated = gadget.isImported || random.chance(0.4);
  if (!isBackdated || since >= latest) return undefined;
  const end = gadget.isImported ? Math.min(latest, since + 12 * dayMs) : latest;
  return random.integer(since + 1, end);
}

/** Places and rooms of which it is sure that they are there, or that they are not. */
function locations({ homes, writer }: GadgetContext, areThere: boolean): Location[] {
  return homes.flatMap(({ id, place, rooms }) => {
    const own = [{ thing: place, location: { place: id } as Location }];
    for (const [room, thing] of rooms) own.push({ thing, location: { place: id, room } });
    return own.flatMap(({ thing, location }) => {
      const isSure = writer.isSettled(thing) && thing.unconfirmedCreation === undefined;
      const isThere = thing.incarnation !== undefined;
      return isThere === areThere && (isThere || isSure) ? [location] : [];
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
