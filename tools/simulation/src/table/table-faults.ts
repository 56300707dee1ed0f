import type { Random } from '../kernel/random.ts';
import type { Charge, Unit } from './charge.ts';

/** Kinds of limits that DynamoDB throttles for (API reference, "ThrottlingReason"). */
export type ThrottleType =
  | 'ProvisionedThroughputExceeded'
  | 'AccountLimitExceeded'
  | 'KeyRangeThroughputExceeded'
  | 'MaxOnDemandThroughputExceeded';

/** `ThrottlingException` spells its reasons `throttlingReasons`, both others `ThrottlingReasons`. */
export type ThrottlingExceptionName =
  'ProvisionedThroughputExceededException' | 'RequestLimitExceeded' | 'ThrottlingException';

/** What happens to a request. */
export type Fault =
  /**
   * A batch gives the parts that are met back, unless all of them are; a transaction is cancelled
   * with a code for them.
   */
  | { kind: 'throttle'; type?: ThrottleType; exception?: ThrottlingExceptionName }
  /** A batch gives the parts that are met back without a word, all of them too. */
  | { kind: 'unprocessed' }
  /** InternalServerError (500), before or after the request took place. */
  | { kind: 'error'; when: 'before' | 'after' }
  /** The request takes place, and the connection is cut before its answer. */
  | { kind: 'lost' }
  /** No answer, ever; the request took place or did not. */
  | { kind: 'stuck'; when: 'before' | 'after' }
  /** The answer comes so much later. */
  | { kind: 'slow'; delayMs: number };

export type FaultKind = Fault['kind'];

/** A fault, and which requests meet it: those that fit all that is given. */
export interface TableFault {
  fault: Fault;
  /** Of those that fit, from 0 to 1. Always where it is absent. */
  probability?: number;
  /** So many times, and then never again. */
  times?: number;
  operations?: readonly string[];
  /** A partition key that the request reads or writes, of the table or of an index; with a `*` at its end, a prefix. */
  partitionKey?: string;
  /** `table`, or the name of an index. */
  target?: string;
  unit?: Unit;
}

interface Active {
  plan: TableFault;
  left: number;
}

/** Which faults requests meet at present. It can be changed at any time. */
export class TableFaults {
  readonly #random: Random;
  #active: Active[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** In place of those that were on. */
  set(plans: readonly TableFault[]): void {
    this.#active = plans.map((plan) => ({ plan, left: plan.times ?? Infinity }));
  }

  /** @returns ends this fault alone */
  add(plan: TableFault): () => void {
    const active = { plan, left: plan.times ?? Infinity };
    this.#active.push(active);
    return () => (active.left = 0);
  }

  /** The first fault of this kind that a request, or a part of it, meets. */
  meet<Kind extends FaultKind>(
    kind: Kind,
    operation: string,
    charges: readonly Charge[],
  ): Met<Kind> | undefined {
    for (const active of this.#active) {
      const { plan } = active;
      if (plan.fault.kind !== kind || active.left <= 0) continue;
      if (plan.operations?.includes(operation) === false) continue;
      const charge = charges.find((one) => isAimedAt(plan, one));
      if (charge === undefined && !isAimedAtAll(plan)) continue;
      if (plan.probability !== undefined && !this.#random.chance(plan.probability)) continue;
      active.left -= 1;
      return { fault: plan.fault as Met<Kind>['fault'], charge };
    }
    return undefined;
  }
}

export interface Met<Kind extends FaultKind> {
  fault: Extract<Fault, { kind: Kind }>;
  /** What of the request met it; undefined for a request that takes no units. */
  charge: Charge | undefined;
}

function isAimedAtAll({ partitionKey, target, unit }: TableFault): boolean {
  return partitionKey === undefined && target === undefined && unit === undefined;
}

function isAimedAt({ partitionKey, target, unit }: TableFault, charge: Charge): boolean {
  if (target !== undefined && charge.target !== target) return false;
  if (unit !== undefined && charge.unit !== unit) return false;
  if (partitionKey === undefined) return true;
  return partitionKey.endsWith('*')
    ? charge.key.startsWith(partitionKey.slice(0, -1))
    : charge.key === partitionKey;
}
