import type { FieldInfo } from './field-info.ts';

/** Fields that share a chart: those of one unit. A field without a known unit has a chart of its own. */
export interface UnitGroup {
  key: string;
  unit: string | undefined;
  isCounter: boolean;
  fields: readonly string[];
}

/** @param chosen field names, in the user's order; a name that no source has reported has no unit */
export function groupByUnit(
  chosen: readonly string[],
  known: readonly FieldInfo[],
  isDrawnAsBars: boolean,
): UnitGroup[] {
  const infos = new Map(known.map((field) => [field.name, field]));
  const groups = new Map<string, UnitGroup & { fields: string[] }>();
  for (const name of chosen) {
    const { unit, isCounter = false } = infos.get(name) ?? {};
    const asBars = isCounter && isDrawnAsBars;
    const key = `${unit ?? `field ${name}`}${asBars ? ' bars' : ''}`;
    const group = groups.get(key) ?? { key, unit, isCounter: asBars, fields: [] };
    group.fields.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}
