import type { Home, Room } from '../homes.ts';
import { dayOf, minutesInDay, oneDay, oneMinute, startOfDay } from './clock.ts';
import type { DayPlan } from './people.ts';
import { isAwake, isCooking, isLivedIn, peopleIn } from './people.ts';
import { randomAt, smoothAt, streamOf } from './random.ts';
import { memoize } from './memoize.ts';
import type { Weather } from './weather.ts';

/** The air of a room: °C, and per cent of the vapour that it could hold. */
export interface RoomAir {
  temperature: number;
  humidity: number;
}

interface RoomParts {
  home: Home;
  room: Room;
  seed: string;
  weather: Weather;
  planOf: (day: number) => DayPlan;
}

/** A room with its own walls: some lie north, some have two outer walls. */
interface ExactRoom extends RoomParts {
  hoursToCool: number;
}

const stepMinutes = 5;
const stepsInDay = minutesInDay / stepMinutes;
const stepHours = stepMinutes / 60;
/** After so long a room has forgotten how it began, to less than a sensor can tell. */
const warmUpDays = 4;

/** Pressure of saturated vapour in hPa at a temperature in °C (Magnus, WMO guide 8, annex 4.B). */
function saturation(temperature: number): number {
  return 6.112 * Math.exp((17.62 * temperature) / (243.12 + temperature));
}

/** Target temperature of the heating, °C. */
function heatedTo({ room }: ExactRoom, plan: DayPlan, minute: number): number {
  if (!isAwake(plan, minute)) return room.use === 'sleeping' ? 16.5 : 13.5;
  if (!isLivedIn(plan, minute)) return 13;
  return { living: 21, cooking: 19, working: 19.5, sleeping: 17.5 }[room.use];
}

/** One step of the room's balance of heat and vapour (hPa), in rates per hour. */
function step(parts: ExactRoom, air: { temperature: number; vapour: number }, time: number) {
  const { home, room, weather, hoursToCool } = parts;
  const plan = parts.planOf(dayOf(time));
  const minute = (time - startOfDay(dayOf(time))) / oneMinute;
  const people = peopleIn(room, home, plan, minute);
  const cooking = room.use === 'cooking' && isCooking(plan, minute) ? 1 : 0;
  const sun = weather.sunHeight(time) * weather.clearness(time);

  const lost = (air.temperature - weather.temperature(time)) / hoursToCool;
  // Proportional, not on and off: the same past then always leads to the same present.
  const heating = Math.min(5, Math.max(0, 2.5 * (heatedTo(parts, plan, minute) - air.temperature)));
  const coolTo = people > 0.15 ? 26.5 : 30;
  const cooling = Math.min(5, Math.max(0, 2.5 * (air.temperature - coolTo)));
  const gained = 0.12 * people + 1.6 * cooking + (room.use === 'living' ? 0.7 : 0.25) * sun;

  const aired = (air.vapour - saturation(weather.dewPoint(time))) / 1.5;
  const humidified = people > 0 ? Math.max(0, 7 - air.vapour) : 0;
  const dried = Math.min(1, cooling) * Math.max(0, air.vapour - 15);
  return {
    temperature: air.temperature + stepHours * (gained + heating - cooling - lost),
    vapour: air.vapour + stepHours * (0.9 * people + 5 * cooking + humidified - aired - dried),
  };
}

/** Temperature and vapour at each step of a day, its end included. */
function airOfDay(parts: ExactRoom, day: number): { temperature: number; vapour: number }[] {
  const start = startOfDay(day) - warmUpDays * oneDay;
  const from = warmUpDays * stepsInDay;
  let air = {
    temperature: Math.max(16, parts.weather.temperature(start)),
    vapour: saturation(parts.weather.dewPoint(start)),
  };
  const steps: (typeof air)[] = [];
  for (let index = 0; index <= from + stepsInDay; index += 1) {
    if (index >= from) steps.push(air);
    air = step(parts, air, start + index * stepMinutes * oneMinute);
  }
  return steps;
}

/** The air of a room at any time: its walls, the weather, the heating and the people in it. */
export function roomOf(parts: RoomParts): (time: number) => RoomAir {
  const stream = streamOf(parts.seed, parts.home.id, parts.room.id);
  const hoursToCool = parts.home.hoursToCool * (0.8 + 0.4 * randomAt(stream, 0));
  const dayCurve = memoize(3, (day) => airOfDay({ ...parts, hoursToCool }, day));
  // Draughts, a door left open: a few tenths of a degree either way within a quarter of an hour.
  const draught = (time: number): number => smoothAt(stream, time / (15 * oneMinute)) - 0.5;
  return (time) => {
    const day = dayOf(time);
    const position = (time - startOfDay(day)) / (stepMinutes * oneMinute);
    const steps = dayCurve(day);
    const before = steps[Math.floor(position)];
    const after = steps[Math.floor(position) + 1];
    if (!before || !after) throw new RangeError(`no air at ${time}`);
    const weight = position % 1;
    const temperature =
      before.temperature + (after.temperature - before.temperature) * weight + 0.6 * draught(time);
    const vapour = before.vapour + (after.vapour - before.vapour) * weight - 0.3 * draught(time);
    const humidity = Math.min(95, Math.max(12, (100 * vapour) / saturation(temperature)));
    return { temperature, humidity };
  };
}
