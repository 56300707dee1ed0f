import { unitsBySize } from '../items/charged-part.ts';
import { shareOut } from './share-out.ts';
import type { Partition } from '@engawa/heat';
import type { Charges } from '../items/charged-part.ts';

/** Units that a partition key took. */
export interface KeyUse {
  partition: Partition;
  units: number;
}

/**
 * What each key of a request took, where no index is reported for itself: by size. The sum (0 where not even that is
 * reported) knows more of the table: what was overwritten or deleted. DynamoDB's has the indexes in it and other APIs'
 * has not, so what they take is left out of it, and the table takes no less than by size.
 */
export function estimate(sum: number, charges: Charges): KeyUse[] {
  const { parts } = charges;
  const sizes = parts.map((part) => unitsBySize(part, charges));
  const ofIndexes = parts.flatMap(({ partitions }, number) =>
    partitions.slice(1).map((partition) => ({ partition, units: sizes[number] ?? 0 })),
  );
  const all = Math.max(total(sizes), sum - total(ofIndexes.map(({ units }) => units)));
  const shares = shareOut(all, charges);
  const ofFirst = parts.flatMap(({ partitions }, number) => {
    const [partition] = partitions;
    return partition ? [{ partition, units: shares[number] ?? 0 }] : [];
  });
  return [...ofFirst, ...ofIndexes];
}

function total(units: readonly number[]): number {
  return units.reduce((sum, one) => sum + one, 0);
}
