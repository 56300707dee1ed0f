import { keyNamings } from './key-naming.ts';
import type { KeyNamer, KeyNaming } from './key-naming.ts';
import type { PartitionLoad } from './others-load.ts';
import type { Partition } from './partition.ts';
import type { HeatReport } from './report.ts';

/** The reports of other processes, each process once. */
type Reports = readonly Pick<HeatReport, 'keys' | 'partitions'>[];

/**
 * What other processes use of these keys, by their reports. A key whose name does not tell which
 * key it is counts as not used: where keys are hidden, one name stands for all devices.
 * @param namers how each naming names a key; hashes match only where all processes have the same secret
 */
export function loadsOfOthers(
  partitions: readonly Partition[],
  reports: Reports,
  namers: Record<KeyNaming, KeyNamer>,
): PartitionLoad[] {
  const units = new Map<string, number>();
  for (const { keys, partitions } of reports) {
    for (const { unitsPerSecond, uncertainty, ...one } of partitions) {
      const name = nameOf(keys, one);
      // Too little rather than too much: a sum of uncertain figures would mitigate what is not hot.
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

/** What reports call this key, by each naming. */
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
