import type { PublishedReading } from '../workload.ts';

/** A reading that was read back. */
export interface StoredReading {
  device: string;
  /** Epoch milliseconds. */
  time: number;
  fields: Readonly<Record<string, unknown>>;
}

export interface Verdict {
  published: number;
  /** Published readings that are not stored. */
  lost: number;
  /** Published readings that are stored more than once. */
  doubled: number;
  /** Readings that are stored with other values than published. */
  changed: number;
}

/** Identifies a reading: no device publishes two readings of the same time. */
export function identityOf({ device, time }: { device: string; time: number }): string {
  return `${device} ${time}`;
}

/** Compares stored readings with the published ones. */
export function compare(
  published: Iterable<PublishedReading>,
  stored: readonly StoredReading[],
): Verdict {
  const found = new Map<string, StoredReading[]>();
  for (const reading of stored) {
    const identity = identityOf(reading);
    const same = found.get(identity);
    if (same === undefined) found.set(identity, [reading]);
    else same.push(reading);
  }
  const verdict = { published: 0, lost: 0, doubled: 0, changed: 0 };
  for (const reading of published) {
    const copies = found.get(identityOf(reading)) ?? [];
    verdict.published += 1;
    if (copies.length === 0) verdict.lost += 1;
    if (copies.length > 1) verdict.doubled += 1;
    if (copies.some((copy) => !hasFields(copy, reading))) verdict.changed += 1;
  }
  return verdict;
}

function hasFields(copy: StoredReading, { fields }: PublishedReading): boolean {
  return Object.entries(fields).every(([name, value]) => copy.fields[name] === value);
}
