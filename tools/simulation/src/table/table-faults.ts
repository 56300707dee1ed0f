import { isNamed } from '@engawa/dynamodb-simulator/rules';
import type {
  Charge,
  LimitType,
  ThrottlingException,
  Unit,
} from '@engawa/dynamodb-simulator/rules';
import type { Random } from '../kernel/random.ts';

/** The effect of a fault on a request. */
export type FaultEffect =
  /**
   * A batch returns throttled parts as unprocessed, unless all parts are throttled; a transaction is
   * cancelled with a code per throttled action.
   */
  | { kind: 'throttle'; type?: LimitType; exception?: ThrottlingException }
  /** A batch returns affected parts as unprocessed, even all of them. */
  | { kind: 'unprocessed' }
  /** InternalServerError (500), before or after the request is applied. */
  | { kind: 'error'; when: 'before' | 'after' }
  /** The request is applied, and the connection is reset before the response. */
  | { kind: 'lost' }
  /** No response ever arrives, before or after the request is applied. */
  | { kind: 'stuck'; when: 'before' | 'after' }
  /** The response is delayed. */
  | { kind: 'slow'; delayMs: number };

export type FaultKind = FaultEffect['kind'];

/** A fault, and the conditions that a request must meet to be affected. */
export interface TableFault {
  fault: FaultEffect;
  /** Probability that a matching request is affected; by default 1. */
  probability?: number;
  /** Maximum number of affected requests; unlimited by default. */
  times?: number;
  operations?: readonly string[];
  /** A partition key that the request accesses, of the table or an index; a prefix if it ends with `*`. */
  partitionKey?: string;
  /** `table`, or the name of an index. */
  target?: string;
  unit?: Unit;
}

interface Active {
  plan: TableFault;
  left: number;
}

/** The currently injected faults. */
export class TableFaults {
  readonly #random: Random;
  #active: Active[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Replaces all faults. */
  set(plans: readonly TableFault[]): void {
    this.#active = plans.map((plan) => ({ plan, left: plan.times ?? Infinity }));
  }

  /** Adds a fault. @returns a function that ends it */
  add(plan: TableFault): () => void {
    const active = { plan, left: plan.times ?? Infinity };
    this.#active.push(active);
    return () => (active.left = 0);
  }

  /** The first fault of this kind that affects a request, or a part of it. */
  meet<Kind extends FaultKind>(
    kind: Kind,
    operation: string,
    charges: readonly Charge[],
  ): MatchedFault<Kind> | undefined {
    for (const active of this.#active) {
      const { plan } = active;
      if (plan.fault.kind !== kind || active.left <= 0) continue;
      if (plan.operations?.includes(operation) === false) continue;
      const charge = charges.find((one) => isAimedAt(plan, one));
      if (charge === undefined && !isAimedAtAll(plan)) continue;
      if (plan.probability !== undefined && !this.#random.chance(plan.probability)) continue;
      active.left -= 1;
      return { fault: plan.fault as MatchedFault<Kind>['fault'], charge };
    }
    return undefined;
  }
}

export interface MatchedFault<Kind extends FaultKind> {
  fault: Extract<FaultEffect, { kind: Kind }>;
  /** The affected part of the request; undefined for a request that consumes no units. */
  charge: Charge | undefined;
}

function isAimedAtAll({ partitionKey, target, unit }: TableFault): boolean {
  return partitionKey === undefined && target === undefined && unit === undefined;
}

function isAimedAt({ partitionKey, target, unit }: TableFault, charge: Charge): boolean {
  if (target !== undefined && charge.target !== target) return false;
  if (unit !== undefined && charge.unit !== unit) return false;
  if (partitionKey === undefined) return true;
  return charge.key !== undefined && isNamed(partitionKey, charge.key);
}
