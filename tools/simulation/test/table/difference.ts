import type { Summary } from './summary.ts';
import type { Request } from './request-builder.ts';

/** The embedded engine, and Amazon's DynamoDB Local 2.6.1. */
export type EngineName = 'embedded' | 'local';

/** A known difference between an engine and the model, and the reason why the model is correct. */
export interface Difference {
  engines: readonly EngineName[];
  reason: string;
  /** Matches the request's operation and JSON. */
  request?: RegExp;
  /** Matches outcome and message of the model. */
  model?: RegExp;
  /** Matches outcome and message of the engine. */
  engine?: RegExp;
  /** The only part that differs. */
  only?: 'units' | 'items';
  /** Converts the model's units to those of the engine. */
  units?: (model: UnitsByTarget) => UnitsByTarget;
}

export type UnitsByTarget = Record<string, number>;

export function explains(
  { engines, only, units, ...patterns }: Difference,
  engine: EngineName,
  { operation, input }: Request,
  [model, other]: readonly [Summary, Summary],
): boolean {
  const matches = (pattern: RegExp | undefined, text: string) => pattern?.test(text) ?? true;
  return (
    engines.includes(engine) &&
    matches(patterns.request, `${operation} ${JSON.stringify(input)}`) &&
    matches(patterns.model, `${model.outcome}: ${model.message}`) &&
    matches(patterns.engine, `${other.outcome}: ${other.message}`) &&
    (only === undefined || onlyDiffersIn(only, model, other)) &&
    (units === undefined || hasUnits(units, model, other))
  );
}

function onlyDiffersIn(part: 'units' | 'items', model: Summary, other: Summary): boolean {
  const rest = part === 'units' ? 'items' : 'units';
  return model.outcome === other.outcome && model[rest] === other[rest];
}

function hasUnits(
  units: Exclude<Difference['units'], undefined>,
  model: Summary,
  other: Summary,
): boolean {
  const expected = units(unitsIn(model.units));
  return onlyDiffersIn('units', model, other) && isSame(expected, unitsIn(other.units));
}

function unitsIn(text: string): UnitsByTarget {
  const parts = text.split(',').filter((part) => part !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [target = '', units] = part.split(' ');
      return [target, Number(units)];
    }),
  );
}

function isSame(one: UnitsByTarget, other: UnitsByTarget): boolean {
  return JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
}

/** Multiplies the units of the table, and those of its indexes, by one factor each. */
export function scaled(
  model: UnitsByTarget,
  factors: { table: number; index: number },
): UnitsByTarget {
  return Object.fromEntries(
    Object.entries(model).map(([target, units]) => [
      target,
      units * (target === 'table' ? factors.table : factors.index),
    ]),
  );
}
