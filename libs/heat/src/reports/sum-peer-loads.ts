import { keyNamings } from '../keys/key-naming.ts';
import type { KeyNamer, KeyNaming } from '../keys/key-naming.ts';
import type { PartitionLoad } from './peer-loads.ts';
import type { Partition } from '../keys/partition.ts';
import type { HeatReport } from './report.ts';

/** The reports of other processes, one per process. */
type Reports = readonly Pick<HeatReport, 'keys' | 'partitions'>[];

/**
 * Other processes' use of these keys, by their reports. A name that may stand for several keys counts as no use: where
 * keys are hidden, one name stands for all devices.
 * @param namers the name of a key in each naming; hashes match only if all processes have the same secret
 */
export function sumPeerLoads(
  partitions: readonly Partition[],
  reports: Reports,
  namers: Record<KeyNaming, KeyNamer>,
): PartitionLoad[] {
  const units = new Map<string, number>();
  for (const { keys, partitions } of reports) {
    for (const { unitsPerSecond, uncertainty, ...one } of partitions) {
      const name = nameOf(keys, one);
      // An underestimate: a total of uncertain loads would mitigate keys that are not hot.
      const certain = Math.max(0, unitsPerSecond - uncertainty);
      units.set(name, (units.get(name) ?? 0) + certain);
    }
  }
  return partitions.map((partition) => {
    const names = namesOf(partition, namers);
    const unitsPerSecond = names.reduce((sum, name) => sum + (units.get(name) ?? 0), 0);
    return { ...partition, unitsPerSecond };
  });
}

/** The names of this key in reports, by each naming. */
function namesOf(
  { index, unit, partition }: Partition,
  namers: Record<KeyNaming, KeyNamer>,
): string[] {
  return keyNamings.flatMap((keys) => {
    const name = namers[keys](index, partition);
    if (keys === 'hidden' && name !== partition) return [];
    return nameOf(keys, { index, unit, partition: name });
  });
}

function nameOf(keys: KeyNaming, { index, unit, partition }: Partition): string {
  return JSON.stringify([keys, index, unit, partition]);
}
