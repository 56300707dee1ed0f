import type { ServiceName } from './world/load-services.ts';

/** The input of a run. With the same code, equal plans produce equal runs. */
export interface Plan {
  seed: number;
  days: number;
  /** Name of the broker's profile; drawn from the seed by default. */
  broker?: string;
  /** Number of replicas of each service; drawn from the seed by default. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** The faults to inject, as `day.ordinal`; by default all. */
  faults?: readonly string[];
  /**
   * The steps to perform by actor, as `day.ordinal`; by default all. Actors without an entry take no
   * part in the run.
   */
  steps?: Readonly<Record<string, readonly string[]>>;
  /** Actors whose model is compared with the system at the end; by default all that take part. */
  checks?: readonly string[];
}

/** The parts of one kind, such as faults, of which the plan keeps some or all. */
export class PlanParts {
  /** Ids of the kept parts that were executed. */
  readonly done: string[] = [];
  readonly #kept: readonly string[] | undefined;

  /** @param kept ids of parts; undefined keeps all parts */
  constructor(kept?: readonly string[]) {
    this.#kept = kept;
  }

  isLeftOut(day: number, ordinal: number): boolean {
    return this.#kept !== undefined && !this.#kept.includes(partId(day, ordinal));
  }

  note(day: number, ordinal: number): void {
    this.done.push(partId(day, ordinal));
  }

  /** Whether the plan names parts of that day that have not been executed so far. */
  isPending(day: number): boolean {
    return this.#kept?.some((id) => dayOf(id) === day && !this.done.includes(id)) ?? false;
  }
}

export function dayOf(partId: string): number {
  return Number(partId.split('.')[0]);
}

const partId = (day: number, ordinal: number) => `${day}.${ordinal}`;
