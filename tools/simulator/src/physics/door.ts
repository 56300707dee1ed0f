import type { DoorSensor } from '../homes.ts';
import { startOfDay } from './clock.ts';
import type { DayPlan } from './people.ts';
import type { Dice } from './random.ts';
import { diceOf, streamOf } from './random.ts';

export interface DoorEvent {
  time: number;
  contact: 'open' | 'closed';
}

/** A door opened: minute of the day, and how long it stays open, in seconds. */
interface Opening {
  minute: number;
  seconds: number;
}

function frontOpenings(people: number, plan: DayPlan, dice: Dice): Opening[] {
  const { between, chance } = dice;
  const pass = (minute: number): Opening => ({ minute, seconds: between(5, 35) });
  const openings: Opening[] = [];
  const { out } = plan;
  if (out) {
    const leaving = plan.someoneStays ? Math.max(1, people - 1) : people;
    for (let person = 0; person < leaving; person += 1) {
      if (person > 0 && chance(0.4)) continue; // goes out together with the one before
      openings.push(pass(out.from - person * between(4, 25)));
      openings.push(pass(out.to - Math.min(person * between(10, 90), (out.to - out.from) / 2)));
    }
  }
  if (plan.someoneStays && chance(0.7)) openings.push(pass(between(600, 700))); // the post
  if (plan.someoneStays && chance(0.5)) {
    const walk = between(800, 900);
    openings.push(pass(walk), pass(walk + between(20, 70)));
  }
  if (chance(0.3)) openings.push(pass(plan.dinner.to + between(5, 60))); // a parcel
  return openings;
}

function backOpenings(plan: DayPlan, dice: Dice): Opening[] {
  const { between, chance } = dice;
  const pass = (minute: number): Opening => ({ minute, seconds: between(10, 60) });
  const openings = [pass(plan.breakfast.to + between(2, 20))]; // the rubbish goes out
  if (plan.laundry !== undefined) {
    openings.push({ minute: plan.laundry + between(50, 60), seconds: between(300, 900) });
  }
  if (plan.someoneStays && chance(0.6)) {
    openings.push({ minute: between(780, 960), seconds: between(120, 1500) }); // airing, the garden
  }
  if (chance(0.5)) openings.push(pass(plan.dinner.from - between(2, 12)));
  return openings;
}

/**
 * What the sensor of a door sees in one day, in order, at whole seconds: opened and closed in turn,
 * closed at both ends of the day.
 */
export function doorEvents(
  door: DoorSensor,
  day: number,
  plan: DayPlan,
  seed: string,
): DoorEvent[] {
  const dice = diceOf(streamOf(seed, door.id, 'openings'), day);
  const openings =
    door.door === 'front' ? frontOpenings(door.home.people, plan, dice) : backOpenings(plan, dice);
  const events: DoorEvent[] = [];
  let closed = startOfDay(day);
  for (const { minute, seconds } of openings.sort((one, other) => one.minute - other.minute)) {
    const time = startOfDay(day) + Math.round(minute * 60) * 1000;
    // A person who arrives while the door is open, or has just closed, causes no further opening.
    if (time < closed + 5000) continue;
    closed = time + Math.round(seconds) * 1000;
    events.push({ time, contact: 'open' }, { time: closed, contact: 'closed' });
  }
  return events;
}
