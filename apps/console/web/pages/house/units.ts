/** A field name has one unit, for ever: it is learned once for all devices, from numbers only. */
const units = new Map<string, string | undefined>();

/** Unknown units can be learned later. */
export function learnUnit(field: string, unit: string | undefined): void {
  units.set(field, unit ?? units.get(field));
}

/** undefined where the field has no unit, or an unknown one. */
export function unitOf(field: string): string | undefined {
  return units.get(field);
}

export function isLearned(field: string): boolean {
  return units.has(field);
}
