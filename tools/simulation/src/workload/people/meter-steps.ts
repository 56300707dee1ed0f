import { Violation } from '../../world/violation.ts';
import {
  correct,
  violationsOfAggregates,
  violationsOfCorrections,
  violationsOfReadings,
  postReadings,
  undo,
} from './meter.ts';
import type { AppliedCorrection, SeriesReading, FieldValues } from '../../oracles/series.ts';
import type { Random } from '../../kernel/index.ts';
import type { ActorContext } from '../actor.ts';
import type { Gadget } from './gadget.ts';
import type { GadgetContext } from './gadget-context.ts';

const minuteMs = 60_000;
export const dayMs = 86_400_000;
/** 2025-10-20T00:00Z, from which readings of meters are imported; clocks in Europe change on 2025-10-26. */
export const importFrom = 1_760_918_400_000;
export const timeZones = ['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'UTC'] as const;

/** One step of a person with the readings of an existing device. */
export async function stepWithReadings(steps: GadgetContext, gadget: Gadget): Promise<void> {
  const { random, writer, narrate } = steps;
  const { series } = gadget;
  const { times } = series;
  const kind = random.fraction();
  if (times.length < 3 || kind < 0.5) {
    const readings = drawReadings(steps, gadget);
    if (readings.length > 0) await postReadings(writer, gadget, readings);
    gadget.changedInAct = writer.act;
  } else if (kind < 0.7) {
    await askInAct(steps, gadget);
  } else if (kind < 0.9) {
    const correction = drawCorrection(random, gadget);
    narrate(`${gadget.id} gets a correction: ${JSON.stringify(correction)}`);
    await correct(writer, gadget, correction);
    gadget.changedInAct = writer.act;
  } else {
    const active = series.corrections.filter(({ isUndone }) => !isUndone);
    if (active.length === 0) return;
    const correction = random.pick(active);
    narrate(`the correction ${correction.id} of ${gadget.id} is revoked`);
    await undo(writer, gadget, correction);
    gadget.changedInAct = writer.act;
  }
}

/** Compares all readings and aggregates of a device with the expected ones. */
export async function violationsOfSeries(steps: GadgetContext, gadget: Gadget): Promise<string[]> {
  const { random } = steps;
  if (gadget.thing.incarnation === undefined) return [];
  const { times } = gadget.series;
  const last = (times.at(-1) ?? importFrom) + dayMs;
  const from = (times[0] ?? importFrom) - 2 * dayMs;
  const months = {
    from,
    to: Math.min(last, latestEnd(steps)),
    timeZone: random.pick(timeZones),
  };
  const limit = { from: 1, to: 3 };
  const of = { ...steps, random };
  return [
    ...(await violationsOfCorrections(of, gadget)),
    ...(await violationsOfReadings(of, gadget, months)),
    ...(await violationsOfAggregates(of, gadget, { ...months, every: 'P1M' }, limit)),
    ...(await violationsOfAggregates(of, gadget, { ...months, every: 'P1D' }, { from: 1, to: 30 })),
    ...(await violationsOfAggregates(
      of,
      gadget,
      { ...drawRange(steps, gadget, 2), every: 'PT1H' },
      { from: 5, to: 20 },
    )),
  ];
}

/** Requests aggregates, which computes rollups. Compares them unless query's cache of five seconds may be older. */
async function askInAct(steps: GadgetContext, gadget: Gadget): Promise<void> {
  const range = drawRange(steps, gadget, 8);
  const limit = { from: 1, to: 4 };
  const violations = [
    ...(await violationsOfAggregates(steps, gadget, { ...range, every: 'P1D' }, limit)),
    ...(await violationsOfReadings(steps, gadget, range)),
  ];
  if (gadget.changedInAct === steps.writer.act) return;
  if (violations[0] !== undefined) throw new Violation(violations[0]);
}

/** Sometimes ahead of the clock: dashboards ask up to the end of today. */
export function latestEnd({
  random,
  wallClock,
}: Pick<ActorContext, 'random' | 'wallClock'>): number {
  return wallClock() + (random.chance(0.5) ? 2 * dayMs : -minuteMs);
}

function drawRange(steps: GadgetContext, gadget: Gadget, days: number) {
  const { random } = steps;
  const { times } = gadget.series;
  const from =
    (times.length === 0 ? importFrom : random.pick(times)) + random.integer(-dayMs, dayMs);
  const to = Math.min(from + random.integer(minuteMs, days * dayMs), latestEnd(steps));
  return { from: Math.min(from, to - minuteMs), to, timeZone: random.pick(timeZones) };
}

/** Draws imported readings of a meter, or readings of the last days of another device, with unique times. */
function drawReadings({ random, wallClock }: GadgetContext, gadget: Gadget): SeriesReading[] {
  const { series } = gadget;
  const count = random.integer(1, 5);
  const latest = series.times.at(-1) ?? importFrom;
  const now = Math.floor(wallClock() / minuteMs) * minuteMs;
  const drawn = new Map<number, SeriesReading>();
  let time = latest;
  for (let index = 0; index < count; index++) {
    if (!gadget.isImported) time = now - random.integer(3, 4000) * minuteMs;
    else if (random.chance(0.2)) time = importFrom + random.integer(0, latest - importFrom);
    else time = Math.max(time, latest) + random.integer(1, 3 * 1440) * minuteMs;
    time = Math.floor(time / minuteMs) * minuteMs;
    if (time < now - 2 * minuteMs && !series.has(time))
      drawn.set(time, { time, values: valuesAt(time, random) });
  }
  return [...drawn.values()];
}

/** Energy, in thousandths, increases by one per minute. */
function valuesAt(time: number, random: Random): FieldValues {
  const energy = Math.floor((time - importFrom) / minuteMs) / 1000;
  if (random.chance(0.2)) return { energy };
  return { energy, temperature: random.integer(100, 300) / 10 };
}

function drawCorrection(random: Random, gadget: Gadget): AppliedCorrection {
  const { times } = gadget.series;
  const operation = random.pick(['delete', 'ignore', 'replace', 'reset'] as const);
  const first = random.integer(0, times.length - 1);
  const from = (times[first] ?? 0) - random.integer(0, 1) * minuteMs;
  const last = times[Math.min(times.length - 1, first + random.integer(0, 2))] ?? from;
  const to =
    operation === 'reset' ? from + 1 : Math.max(last, from + minuteMs) + random.integer(0, 1);
  const fields = random.chance(0.4) ? [random.pick(['energy', 'temperature'])] : undefined;
  return {
    ...{
      id: `correction-${gadget.series.corrections.length}`,
      operation,
      from,
      to,
      isUndone: false,
    },
    ...(fields && { fields }),
    ...(operation === 'replace' && { readings: drawReplacements(random, { from, to, fields }) }),
  };
}

function drawReplacements(
  random: Random,
  { from, to, fields }: { from: number; to: number; fields: readonly string[] | undefined },
): SeriesReading[] {
  // Stored readings are at whole minutes, so these times are unique.
  const times = [from + 1 + 2 * random.integer(0, 400), from + 2 + 2 * random.integer(401, 9000)];
  const within = [...new Set(times)].filter((time) => time < to);
  return within.map((time) => {
    const values = Object.entries({ temperature: 20, ...valuesAt(time, random) });
    const kept = values.filter(([name]) => fields?.includes(name) ?? true);
    return { time, values: Object.fromEntries(kept) };
  });
}
