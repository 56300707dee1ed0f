import { invariant } from '@engawa/errors';
import { unitsBySize } from '../items/charged-part.ts';
import { distributeUnits } from './distribute-units.ts';
import type { Partition } from '@engawa/heat';
import type { RequestCharges } from '../items/charged-part.ts';

/** Units of a request for one partition key. */
export interface KeyUnits {
  partition: Partition;
  units: number;
}

/**
 * Estimates by size the units of each key, where DynamoDB does not report the indexes separately. The table's key may
 * have consumed more than the size shows (an overwritten or deleted item counts, too), so it gets the reported total
 * minus the indexes. DynamoDB's total includes the indexes, the total of other APIs does not: the table's share is
 * never below its size.
 * @param sum units of the table and its indexes together; 0 where nothing is reported
 */
export function estimateUnits(sum: number, charges: RequestCharges): KeyUnits[] {
  const { parts } = charges;
  const sizes = parts.map((part) => unitsBySize(part, charges));
  const ofIndexes = parts.flatMap(({ partitions }, number) =>
    partitions
      .slice(1)
      .map((partition) => ({ partition, units: invariant(sizes[number], 'each part has a size') })),
  );
  const ofTable = Math.max(total(sizes), sum - total(ofIndexes.map(({ units }) => units)));
  const shares = distributeUnits(ofTable, charges);
  const ofFirst = parts.flatMap(({ partitions }, number) => {
    const [partition] = partitions;
    return partition
      ? [{ partition, units: invariant(shares[number], 'each part has a share') }]
      : [];
  });
  return [...ofFirst, ...ofIndexes];
}

function total(units: readonly number[]): number {
  return units.reduce((sum, one) => sum + one, 0);
}
