import type { Charge } from '../rules/charge.ts';

/** The units of `actual` above those of `expected`, by partition key. */
export function beyond(expected: readonly Charge[], actual: readonly Charge[]): Charge[] {
  const paid = new Map<string, number>();
  const nameOf = ({ table, target, key }: Charge) => JSON.stringify([table, target, key]);
  for (const charge of expected) {
    paid.set(nameOf(charge), (paid.get(nameOf(charge)) ?? 0) + charge.units);
  }
  return actual.flatMap((charge) => {
    const left = paid.get(nameOf(charge)) ?? 0;
    paid.set(nameOf(charge), Math.max(0, left - charge.units));
    return charge.units > left ? [{ ...charge, units: charge.units - left }] : [];
  });
}
