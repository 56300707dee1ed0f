import {
  correctionItem,
  correctionRowKeyOf,
  noCorrectionRows,
  sortedUnique,
  withCorrectionRow,
} from '@engawa/model';
import { fieldNames, moment, randomValues } from './random-world.ts';
import type { Correction, CorrectionRows, Fields } from '@engawa/model';
import type { Random } from './random.ts';
import type { ModelCorrection, ModelDevice, ValuesByField, World } from './world.ts';

const hour = 3_600_000;
const operations = ['delete', 'replace', 'ignore', 'reset', 'reset'] as const;

/** What somebody may want to correct: a moment, an hour or so, or any stretch. */
export function randomCorrection(
  random: Random,
  { from, to }: World,
  { id: device }: ModelDevice,
): ModelCorrection {
  const operation = random.pick(operations);
  const start = moment(random, from, to);
  const end = random.pick([start + 1, start + random.int(1, 3) * hour, moment(random, start, to)]);
  const range = { from: start, to: operation === 'reset' ? start + 1 : Math.max(start + 1, end) };
  const fields = random.chance(0.6) ? random.some(fieldNames) : undefined;
  const id = `correction ${random.int(0, 1e12)}`;
  const correction = { id, device, operation, ...range, fields, isUndone: false };
  if (operation !== 'replace') return { ...correction, readings: [] };
  const readings = Array.from({ length: random.int(0, 4) }, () => ({
    time: moment(random, range.from, range.to - 1),
    values: only(randomValues(random, random.int(0, 99_990_000)), fields),
  }));
  return { ...correction, readings: readings.filter(({ values }) => values !== nothing) };
}

const nothing: ValuesByField = {};

function only(values: ValuesByField, fields: readonly string[] | undefined): ValuesByField {
  if (fields === undefined) return values;
  const kept = Object.entries(values).filter(([name]) => fields.includes(name));
  return kept.length === 0 ? nothing : Object.fromEntries(kept);
}

/** As the registry stores it. */
export function correctionOf(
  { id, device, isUndone, operation, from, to, fields, readings }: ModelCorrection,
  sequence: number,
  fieldsOf: (values: ValuesByField) => Fields,
): Correction {
  const given = readings.map(({ time, values }) => ({ time, fields: fieldsOf(values) }));
  return {
    ...{ id, device, sequence, operation, from, to, why: 'to see', madeAt: to },
    ...(fields !== undefined && { fields }),
    ...(operation === 'replace' && given.length > 0 && { readings: sortedUnique(given) }),
    ...(isUndone && { undoneAt: 1 }),
  };
}

/** The items of the corrections of a device, and their rows if it has many. */
export function itemsOfCorrections(
  made: readonly Correction[],
  hasRows: boolean,
): { items: object[]; rows?: CorrectionRows } {
  const items = made.map(correctionItem);
  if (!hasRows) return { items };
  const rows = made.map((one) => ({ ...correctionItem(one), ...correctionRowKeyOf(one) }));
  return { items: [...items, ...rows], rows: made.reduce(withCorrectionRow, noCorrectionRows) };
}
