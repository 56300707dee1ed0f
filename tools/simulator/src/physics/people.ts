import type { Home, Room } from '../homes.ts';
import { isWeekend } from './clock.ts';
import { diceOf, streamOf } from './random.ts';

/** From and to, in minutes since midnight. */
export interface Span {
  from: number;
  to: number;
}

/** The day of a home's people; times in minutes since midnight. */
export interface DayPlan {
  wake: number;
  sleep: number;
  /** When most of them are out; `undefined` on a day at home. */
  out: Span | undefined;
  /** Whether anybody is at home meanwhile. */
  someoneStays: boolean;
  breakfast: Span;
  lunch: Span | undefined;
  dinner: Span;
  laundry: number | undefined;
}

/** The plan of a home's day. All of it lies between five in the morning and midnight. */
export function planDay(home: Home, day: number, seed: string): DayPlan {
  const { between, chance } = diceOf(streamOf(seed, home.id, 'plan'), day);
  const weekend = isWeekend(day);
  const wake = weekend ? between(425, 500) : between(365, 405);
  const leave = weekend ? between(600, 690) : wake + between(75, 105);
  const back = weekend ? leave + between(120, 330) : between(1000, 1130);
  const out = !weekend || chance(0.7) ? { from: leave, to: back } : undefined;
  const someoneStays = out === undefined || (!weekend && chance(home.staysHome));
  const lunch = between(715, 740);
  const dinner = Math.max(back + 20, between(1080, 1120));
  return {
    wake,
    sleep: between(1340, 1425),
    out,
    someoneStays,
    breakfast: { from: wake + 15, to: wake + 35 },
    lunch: someoneStays ? { from: lunch, to: lunch + between(10, 20) } : undefined,
    dinner: { from: dinner, to: dinner + between(25, 45) },
    laundry: chance(0.6) ? wake + between(20, 40) : undefined,
  };
}

export function isWithin(span: Span | undefined, minute: number): boolean {
  return span !== undefined && minute >= span.from && minute < span.to;
}

export function isAwake(plan: DayPlan, minute: number): boolean {
  return minute >= plan.wake && minute < plan.sleep;
}

/** Whether anybody at home is up. */
export function isLivedIn(plan: DayPlan, minute: number): boolean {
  return isAwake(plan, minute) && (plan.someoneStays || !isWithin(plan.out, minute));
}

export function isCooking(plan: DayPlan, minute: number): boolean {
  return [plan.breakfast, plan.lunch, plan.dinner].some((meal) => isWithin(meal, minute));
}

/** How many people are in a room, on the average. */
export function peopleIn(room: Room, home: Home, plan: DayPlan, minute: number): number {
  if (!isAwake(plan, minute)) return room.use === 'sleeping' ? Math.min(2, home.people) : 0;
  if (!isLivedIn(plan, minute)) return 0;
  const present = isWithin(plan.out, minute) ? 1 : home.people;
  switch (room.use) {
    case 'living':
      return present * 0.6;
    case 'cooking':
      return isCooking(plan, minute) ? 1 : 0.1;
    case 'working':
      return isWithin(plan.out, minute) ? 0.8 : 0.3;
    case 'sleeping':
      return 0.2;
  }
}
