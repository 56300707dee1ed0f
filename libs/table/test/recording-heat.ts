import { Heat } from '@engawa/heat';
import type { Partition, ThrottlingCause } from '@engawa/heat';

export interface Use extends Partition {
  units: number;
}

/** Heat that also keeps all its inputs, in order. */
export class RecordingHeat extends Heat {
  readonly uses: Use[] = [];
  readonly throttles: (Use & ThrottlingCause)[] = [];

  constructor() {
    super({ limits: { read: 3000, write: 1000 } });
  }

  override used(partition: Partition, units: number, now: number): void {
    this.uses.push({ ...partition, units });
    super.used(partition, units, now);
  }

  override throttled(
    partition: Partition,
    cause: ThrottlingCause,
    units: number,
    now: number,
  ): void {
    this.throttles.push({ ...partition, ...cause, units });
    super.throttled(partition, cause, units, now);
  }

  forget(): void {
    this.uses.length = 0;
    this.throttles.length = 0;
  }

  /** Recorded units by index, unit and, if given, partition key. */
  units(index: string, unit: string, partition?: string): number {
    return this.uses
      .filter((use) => use.index === index && use.unit === unit)
      .filter((use) => partition === undefined || use.partition === partition)
      .reduce((sum, use) => sum + use.units, 0);
  }
}
