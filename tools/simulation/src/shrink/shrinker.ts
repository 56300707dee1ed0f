import { dayOf } from '../plan.ts';
import { kindOfWrong } from './kind-of-wrong.ts';
import { minimize } from './minimize.ts';
import type { Plan } from '../plan.ts';
import type { RunOutcome } from '../recorder.ts';

/** The result of a run, as the shrinker uses it. */
type Seen = Pick<RunOutcome, 'violations' | 'played'>;

/** A plan with the list of everything that took place. */
type WholePlan = Plan & Required<Pick<Plan, 'faults' | 'steps' | 'checks'>>;

const single = { ingestion: 1, registry: 1, query: 1, catalog: 1 } as const;
/** Stands among actors for all faults. */
const allFaults = 'faults';

export interface ShrinkerOptions<Result extends Seen> {
  plan: Plan;
  /** Of that plan; something is wrong. */
  outcome: Result;
  play: (plan: Plan) => Promise<Result>;
  /** Plays after which the smallest plan so far is the result. */
  maxPlays: number;
}

/** Repeats a failed run with parts left out, and keeps the smallest plan with the same kind of violation. */
export class Shrinker<Result extends Seen> {
  /** In which way: the kind of the first thing that was wrong. */
  readonly kind: string;
  readonly #options: ShrinkerOptions<Result>;
  readonly #tried = new Set<string>();
  #plan: WholePlan;
  #outcome: Result;
  #plays = 0;

  constructor(options: ShrinkerOptions<Result>) {
    this.#options = options;
    this.#outcome = options.outcome;
    this.kind = kindOfWrong(options.outcome.violations[0] ?? '');
    this.#plan = whatTookPlace(options.plan, options.outcome);
  }

  /** The smallest so far. */
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
   * Until nothing more can be left out, or all plays are used up. What is left may make other parts
   * superfluous: so it repeats.
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

  /** To the first days, by bisection. */
  async #shortenDays(): Promise<void> {
    // Where an answer was wrong on the last day, nothing was on the days before it.
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

  /** Plays the plan, and keeps it where it goes wrong in the same way. Once all plays are used up, no plan does. */
  async #fails(plan: WholePlan): Promise<boolean> {
    const key = JSON.stringify(plan);
    if (key === JSON.stringify(this.#plan)) return true;
    if (this.#isSpent || this.#tried.has(key)) return false;
    this.#tried.add(key);
    this.#plays += 1;
    const outcome = await this.#options.play(plan);
    if (!outcome.violations.some((violation) => kindOfWrong(violation) === this.kind)) return false;
    this.#plan = whatTookPlace(plan, outcome);
    this.#outcome = outcome;
    return true;
  }
}

/** An answer that is wrong ends a world: what had not happened by then has no influence. */
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
