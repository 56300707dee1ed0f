/** An unmet requirement, with a reason for the operator. */
export interface UnmetRequirement {
  name: string;
  reason: string;
  /** Whether it makes the service unready (docs/adr/0052). */
  blocks: boolean;
}

/**
 * When an unmet requirement makes the service unready. `always`: for a requirement of this process
 * alone. `untilMet`: for a dependency that all replicas share, whose outage must not remove all of
 * them from their Service. It blocks a process for which it was never met, since its settings may
 * be wrong; with `forMs` only for that time after `require`. `never`: only reported.
 */
export type Blocking = 'always' | 'never' | { untilMet: true; forMs?: number };

interface Requirement {
  unavailableReason: () => string | undefined;
  blocking: Blocking;
  requiredAt: number;
  wasMet: boolean;
}

/** The requirements of a service, evaluated at each request of `/readyz` and each scrape. */
export class Readiness {
  readonly #requirements = new Map<string, Requirement>();
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Adds a requirement.
   * @param unavailableReason why it is not met, or undefined while it is; it returns immediately
   */
  require(
    name: string,
    unavailableReason: () => string | undefined,
    blocking: Blocking = { untilMet: true },
  ): void {
    this.#requirements.set(name, {
      unavailableReason,
      blocking,
      requiredAt: this.#now(),
      wasMet: false,
    });
  }

  /** Names of all requirements, in the order of `require`. */
  get names(): string[] {
    return [...this.#requirements.keys()];
  }

  /** The unmet requirements in the order of `require`; the service is ready where none of them blocks. */
  unavailableReasons(): UnmetRequirement[] {
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
