import type { Home } from '../homes.ts';
import { dayOf, minutesInDay, oneMinute, startOfDay } from './clock.ts';
import type { DayPlan, Span } from './people.ts';
import { isCooking, isLivedIn } from './people.ts';
import { diceOf, randomAt, streamOf } from './random.ts';
import { memoize } from './memoize.ts';
import type { Weather } from './weather.ts';

/** When the meters were installed (2025-01-01 in Japan); they have no readings from before. */
export const meterInstalledAt = Date.UTC(2024, 11, 31, 15);

/**
 * A meter's registers. `power` is signed: what the home drew in the minute that ends now, on the average,
 * in W; negative while the roof gives more than the home takes.
 */
export interface MeterReading {
  energyImport: number;
  energyExport: number;
  power: number;
}

/** One day by the minute: net W, and the energy since midnight in whole watt-minutes, each way. */
interface MeterDay {
  watts: Float64Array;
  imported: Float64Array;
  exported: Float64Array;
}

interface MeterParts {
  home: Home;
  seed: string;
  weather: Weather;
  planOf: (day: number) => DayPlan;
}

/** Appliances that somebody switches on: `watts` are added over the span. */
function appliances(parts: MeterParts, day: number): { span: Span; watts: number }[] {
  const { between, chance } = diceOf(streamOf(parts.seed, parts.home.id, 'appliances'), day);
  const plan = parts.planOf(day);
  const lasting = (from: number, minutes: number): Span => ({ from, to: from + minutes });
  const hotWater = between(130, 170);
  const bath = plan.dinner.to + between(30, 70);
  const list = [
    { span: lasting(plan.breakfast.from, between(2, 5)), watts: 1250 },
    { span: lasting(plan.breakfast.from + 6, between(3, 6)), watts: 950 },
    { span: lasting(plan.dinner.from - 30, 40), watts: 420 },
    { span: lasting(plan.dinner.from, plan.dinner.to - plan.dinner.from), watts: 1150 },
    { span: lasting(plan.dinner.to, between(40, 130)), watts: 140 },
    { span: lasting(bath, between(6, 12)), watts: 1100 },
    // A heat pump fills the hot water tank at the night rate.
    { span: lasting(hotWater, between(120, 180)), watts: 260 * parts.home.people },
  ];
  if (plan.lunch) list.push({ span: plan.lunch, watts: 900 });
  if (plan.laundry !== undefined) list.push({ span: lasting(plan.laundry, 48), watts: 330 });
  if (chance(0.5)) list.push({ span: lasting(plan.dinner.to + 5, between(10, 25)), watts: 800 });
  return list;
}

/** Heating and cooling by a heat pump, and light when it is dark; W. */
function comfortWatts({ home, weather }: MeterParts, plan: DayPlan, time: number, minute: number) {
  if (!isLivedIn(plan, minute)) return 0;
  const outside = weather.temperature(time);
  const cold = Math.max(0, 17 - outside) * (home.hoursToCool > 12 ? 22 : 38);
  const hot = Math.max(0, outside - 25) * 85;
  const light = weather.sunHeight(time) < 0.08 ? 55 + 25 * home.people : 15;
  return cold + hot + light + (isCooking(plan, minute) ? 60 : 0);
}

/** Power of the solar panels in W; a fifth is lost in heat, cables and the inverter. */
function sunWatts({ home, weather }: MeterParts, time: number): number {
  const height = weather.sunHeight(time);
  return height === 0 ? 0 : 0.8 * home.roofWatts * height * weather.clearness(time);
}

const minuteStart = (day: number, minute: number): number => startOfDay(day) + minute * oneMinute;

/** A curve over the minutes of a day, computed every ten minutes and interpolated linearly. */
function slowly(curve: (minute: number) => number): (minute: number) => number {
  const points = Array.from({ length: minutesInDay / 10 + 1 }, (_, index) => curve(index * 10));
  return (minute) => {
    const before = points[Math.floor(minute / 10)] ?? 0;
    const after = points[Math.floor(minute / 10) + 1] ?? 0;
    return before + ((after - before) * (minute % 10)) / 10;
  };
}

function wattsOfDay(parts: MeterParts, day: number): Float64Array {
  const { home, seed } = parts;
  const plan = parts.planOf(day);
  const jitter = streamOf(seed, home.id, 'load', String(day));
  const fridgeStart = Math.floor(randomAt(jitter, minutesInDay) * 45);
  const load = new Float64Array(minutesInDay);
  for (const { span, watts } of appliances(parts, day)) {
    const end = Math.min(minutesInDay, span.to);
    for (let minute = Math.max(0, Math.floor(span.from)); minute < end; minute += 1) {
      load[minute] = (load[minute] ?? 0) + watts;
    }
  }
  const comfort = slowly((minute) => comfortWatts(parts, plan, minuteStart(day, minute), minute));
  const sun = slowly((minute) => sunWatts(parts, minuteStart(day, minute)));
  return load.map((switched, minute) => {
    const fridge = (minute + fridgeStart) % 45 < 17 ? 85 : 4;
    const always = 70 + 18 * home.people;
    const used = always + fridge + comfort(minute) + switched;
    return Math.round(used * (0.94 + 0.12 * randomAt(jitter, minute)) - sun(minute));
  });
}

function meterDay(parts: MeterParts, day: number): MeterDay {
  const watts = wattsOfDay(parts, day);
  const imported = new Float64Array(minutesInDay + 1);
  const exported = new Float64Array(minutesInDay + 1);
  watts.forEach((net, minute) => {
    imported[minute + 1] = (imported[minute] ?? 0) + Math.max(0, net);
    exported[minute + 1] = (exported[minute] ?? 0) + Math.max(0, -net);
  });
  return { watts, imported, exported };
}

const wattMinutesInKilowattHour = 60_000;
const kilowattHours = (start: number, wattMinutes: number): number =>
  Math.round((start + wattMinutes / wattMinutesInKilowattHour) * 1000) / 1000;

/**
 * The meter of a home: gives its registers at a whole minute, or nothing before it was installed.
 * Watts are whole numbers, so the sums over years are exact and do not depend on where they begin.
 */
export function meterOf(parts: MeterParts): (time: number) => MeterReading | undefined {
  const { home } = parts;
  const firstDay = dayOf(meterInstalledAt);
  const dayCurve = memoize(4, (day) => meterDay(parts, day));
  const importedBefore = [0];
  const exportedBefore = [0];
  const sumUpTo = (day: number): void => {
    for (let known = importedBefore.length; known <= day - firstDay; known += 1) {
      const { imported, exported } = dayCurve(firstDay + known - 1);
      importedBefore.push((importedBefore[known - 1] ?? 0) + (imported[minutesInDay] ?? 0));
      exportedBefore.push((exportedBefore[known - 1] ?? 0) + (exported[minutesInDay] ?? 0));
    }
  };
  return (time) => {
    // The reading at midnight is the last of the day that ends then.
    const day = dayOf(time - oneMinute);
    if (day < firstDay) return undefined;
    sumUpTo(day);
    const minute = Math.round((time - startOfDay(day)) / oneMinute);
    const { watts, imported, exported } = dayCurve(day);
    const before = day - firstDay;
    const importedInAll = (importedBefore[before] ?? 0) + (imported[minute] ?? 0);
    const exportedInAll = (exportedBefore[before] ?? 0) + (exported[minute] ?? 0);
    return {
      energyImport: kilowattHours(home.meterStart.import, importedInAll),
      energyExport: kilowattHours(home.meterStart.export, exportedInAll),
      power: watts[minute - 1] ?? 0,
    };
  };
}
