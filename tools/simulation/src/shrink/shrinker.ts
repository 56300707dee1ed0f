import { dayOf } from '../plan.ts';
import { kindOfViolation } from './kind-of-violation.ts';
import { minimize } from './minimize.ts';
import type { Plan } from '../plan.ts';
import type { RunOutcome } from '../recorder.ts';

/** The parts of a run's outcome that the shrinker uses. */
type Seen = Pick<RunOutcome, 'violations' | 'played'>;

/** A plan that lists all executed parts. */
type WholePlan = Plan & Required<Pick<Plan, 'faults' | 'steps' | 'checks'>>;

const single = { ingestion: 1, registry: 1, query: 1, catalog: 1 } as const;
/** Represents all faults in the list of actors. */
const allFaults = 'faults';

export interface ShrinkerOptions<Result extends Seen> {
  plan: Plan;
  /** The outcome of the plan, with at least one violation. */
  outcome: Result;
  play: (plan: Plan) => Promise<Result>;
  /** Maximum number of runs; after these the smallest plan so far is the result. */
  maxPlays: number;
}

/** Repeats a failed run without some parts, and keeps the smallest plan with the same kind of violation. */
export class Shrinker<Result extends Seen> {
  /** Kind of the first violation, which each smaller plan must reproduce. */
  readonly kind: string;
  readonly #options: ShrinkerOptions<Result>;
  readonly #tried = new Set<string>();
  #plan: WholePlan;
  #outcome: Result;
  #plays = 0;

  constructor(options: ShrinkerOptions<Result>) {
    this.#options = options;
    this.#outcome = options.outcome;
    this.kind = kindOfViolation(options.outcome.violations[0] ?? '');
    this.#plan = whatTookPlace(options.plan, options.outcome);
  }

  /** The smallest plan so far. */
  get plan(): Plan {
    return this.#plan;
  }

  get outcome(): Result {
    return this.#outcome;
  }

  get plays(): number {
    return this.#plays;
  }

  get #isSpent(): boolean {
    return this.#plays >= this.#options.maxPlays;
  }

  /**
   * Removes parts until none can be removed, or `maxPlays` is reached. Several rounds are needed,
   * since a removed part may make other parts superfluous.
   */
  async shrink(): Promise<void> {
    let before;
    do {
      before = JSON.stringify(this.#plan);
      await this.#shortenDays();
      await this.#reduceActors();
      await this.#reduceChecks();
      await this.#reduceFaults();
      await this.#reduceSteps();
      await this.#reduceScale();
    } while (JSON.stringify(this.#plan) !== before && !this.#isSpent);
  }

  /** Keeps only the first days, by bisection. */
  async #shortenDays(): Promise<void> {
    // A violation before the final checks ends the run on its day, so fewer days cannot reproduce it.
    if (this.#plan.checks.length === 0) return;
    let tooFew = 0;
    while (this.#plan.days - tooFew > 1) {
      const days = Math.floor((tooFew + this.#plan.days) / 2);
      if (!(await this.#fails(firstDays(this.#plan, days)))) tooFew = days;
    }
  }

  async #reduceActors(): Promise<void> {
    const base = this.#plan;
    await minimize([...Object.keys(base.steps), allFaults], (kept) => {
      const steps = Object.entries(base.steps).filter(([actor]) => kept.includes(actor));
      const faults = kept.includes(allFaults) ? base.faults : [];
      return this.#fails({ ...base, faults, steps: Object.fromEntries(steps) });
    });
  }

  async #reduceChecks(): Promise<void> {
    const base = this.#plan;
    await minimize(base.checks, (checks) => this.#fails({ ...base, checks }));
  }

  async #reduceScale(): Promise<void> {
    if (this.#plan.replicas === undefined) await this.#fails({ ...this.#plan, replicas: single });
    for (const [service, count] of Object.entries(single)) {
      await this.#fails({
        ...this.#plan,
        replicas: { ...this.#plan.replicas, [service]: count },
      });
    }
    await this.#fails({ ...this.#plan, broker: 'mosquitto' });
  }

  async #reduceFaults(): Promise<void> {
    const base = this.#plan;
    await minimize(base.faults, (faults) => this.#fails({ ...base, faults }));
  }

  async #reduceSteps(): Promise<void> {
    const base = this.#plan;
    const actors = Object.keys(base.steps);
    const parts = actors.flatMap((actor) => base.steps[actor]?.map((id) => ({ actor, id })) ?? []);
    await minimize(parts, (kept) => {
      const idsOf = (actor: string) =>
        kept.filter((part) => part.actor === actor).map(({ id }) => id);
      const steps = Object.fromEntries(actors.map((actor) => [actor, idsOf(actor)]));
      return this.#fails({ ...base, steps });
    });
  }

  /** Runs the plan, and keeps it if it has the same kind of violation. Returns false after `maxPlays` runs. */
  async #fails(plan: WholePlan): Promise<boolean> {
    const key = JSON.stringify(plan);
    if (key === JSON.stringify(this.#plan)) return true;
    if (this.#isSpent || this.#tried.has(key)) return false;
    this.#tried.add(key);
    this.#plays += 1;
    const outcome = await this.#options.play(plan);
    if (!outcome.violations.some((violation) => kindOfViolation(violation) === this.kind))
      return false;
    this.#plan = whatTookPlace(plan, outcome);
    this.#outcome = outcome;
    return true;
  }
}

/** A violation ends a run, so parts that were not executed have no influence. */
function whatTookPlace(plan: Plan, { played }: Seen): WholePlan {
  return { ...plan, ...played };
}

function firstDays(plan: WholePlan, days: number): WholePlan {
  const isWithin = (id: string) => dayOf(id) <= days;
  const steps = Object.entries(plan.steps).map(([actor, ids]) => [actor, ids.filter(isWithin)]);
  return {
    ...{ ...plan, days, faults: plan.faults.filter(isWithin) },
    steps: Object.fromEntries(steps) as WholePlan['steps'],
  };
}
