/** A requirement that is not met, with a reason that a person can act on. */
export interface UnmetRequirement {
  name: string;
  reason: string;
  /** Whether the service is not ready because of it (docs/adr/0052). */
  blocks: boolean;
}

/**
 * When an unmet requirement makes the service unready. `always`: what concerns this process alone. `untilMet`: what all
 * replicas share, so its outage must not take all of them out of their Service; it blocks only a process that has never had
 * it, whose settings may be wrong, and with `forMs` only for so long from `require`. `never`: it is only reported.
 */
export type Blocking = 'always' | 'never' | { untilMet: true; forMs?: number };

interface Requirement {
  unavailableReason: () => string | undefined;
  blocking: Blocking;
  requiredAt: number;
  wasMet: boolean;
}

/** What a service needs to do its work. `/readyz` and the metrics evaluate it each time they are read. */
export class Readiness {
  readonly #requirements = new Map<string, Requirement>();
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `missing` tells, without waiting, why `name` is missing, or undefined while it is not. */
  require(
    name: string,
    unavailableReasons: () => string | undefined,
    blocking: Blocking = { untilMet: true },
  ): void {
    this.#requirements.set(name, {
      unavailableReason: unavailableReasons,
      blocking,
      requiredAt: this.#now(),
      wasMet: false,
    });
  }

  /** Names of all requirements, in the order of `require`. */
  get names(): string[] {
    return [...this.#requirements.keys()];
  }

  /** All that is missing now, in the order of `require`; the service is ready when nothing of it blocks. */
  missing(): UnmetRequirement[] {
    return [...this.#requirements].flatMap(([name, requirement]) => {
      const reason = requirement.unavailableReason();
      requirement.wasMet ||= reason === undefined;
      return reason === undefined ? [] : [{ name, reason, blocks: this.#blocks(requirement) }];
    });
  }

  #blocks({ blocking, requiredAt, wasMet }: Requirement): boolean {
    if (typeof blocking === 'string') return blocking === 'always';
    const { forMs = Infinity } = blocking;
    return !wasMet && this.#now() - requiredAt < forMs;
  }
}
