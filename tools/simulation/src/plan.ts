import type { ServiceName } from './world/load-services.ts';

/** The input of a run. Equal plans produce equal runs with the same code. */
export interface Plan {
  seed: number;
  days: number;
  /** Name of the broker's profile; drawn from the seed where it is not given. */
  broker?: string;
  /** How many of each service; drawn from the seed where they are not given. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** The faults that are injected, as `day.ordinal`; all where they are not given. */
  faults?: readonly string[];
  /**
   * By actor, the steps that are done, as `day.ordinal`; all where they are not given. An actor
   * without steps is not there.
   */
  steps?: Readonly<Record<string, readonly string[]>>;
  /** Actors whose model is compared at the end; all that are there where they are not given. */
  checks?: readonly string[];
}

/** One kind of parts of a world, such as its faults, which the plan keeps or leaves out. */
export class PlanParts {
  /** Of those that were kept, the ones that took place. */
  readonly done: string[] = [];
  readonly #kept: readonly string[] | undefined;

  /** @param kept ids of parts; undefined where all are kept */
  constructor(kept?: readonly string[]) {
    this.#kept = kept;
  }

  isLeftOut(day: number, ordinal: number): boolean {
    return this.#kept !== undefined && !this.#kept.includes(partId(day, ordinal));
  }

  note(day: number, ordinal: number): void {
    this.done.push(partId(day, ordinal));
  }

  /** Whether the plan names parts of that day that have not taken place yet. */
  isPending(day: number): boolean {
    return this.#kept?.some((id) => dayOf(id) === day && !this.done.includes(id)) ?? false;
  }
}

export function dayOf(partId: string): number {
  return Number(partId.split('.')[0]);
}

const partId = (day: number, ordinal: number) => `${day}.${ordinal}`;
