import { z } from 'zod';
import { throttlingExceptions } from './exceptions.ts';
import { limitTypes } from './limits.ts';
import type { Charge } from './charge.ts';

const share = z.number().min(0).max(1);

const what = z.discriminatedUnion('kind', [
  /** Never answers; with `write` after it took place, with `head` after the first bytes of an answer. */
  z.strictObject({
    kind: z.literal('hang'),
    after: z.enum(['nothing', 'write', 'head']).default('nothing'),
  }),
  /** Cuts the connection before the request takes place, or after. */
  z.strictObject({ kind: z.literal('reset'), when: z.enum(['before', 'after']) }),
  /** Answers late. */
  z.strictObject({ kind: z.literal('slow'), milliseconds: z.number().int().min(0).max(600_000) }),
  /** Any exception of DynamoDB's, such as InternalServerError, AccessDeniedException, ExpiredTokenException. */
  z.strictObject({
    kind: z.literal('exception'),
    name: z.string().min(1),
    message: z.string().optional(),
  }),
  /** Throttles for one of the four types of limits: what is matched of a batch, all of anything else. */
  z.strictObject({
    kind: z.literal('throttle'),
    type: z.enum(limitTypes).default('KeyRangeThroughputExceeded'),
    exception: z.enum(throttlingExceptions).optional(),
  }),
  /** Gives items of a batch back without a word; all of them too, where the share is 1. */
  z.strictObject({ kind: z.literal('unprocessed'), share: share.default(1) }),
  /** A server whose clock is that far ahead refuses signatures as not current. */
  z.strictObject({ kind: z.literal('clock'), skewSeconds: z.number().int() }),
]);

export const faultSchema = z.strictObject({
  /** Of these operations (`BatchWriteItem`); of all when absent. */
  operations: z.array(z.string()).min(1).optional(),
  /** Of requests that touch this partition key; with a `*` at its end, one that begins like that. */
  partitionKey: z.string().min(1).optional(),
  /** Of requests that touch `table`, or the index of this name; of any when absent. */
  target: z.string().min(1).optional(),
  /** The first so many of them are left alone. */
  skip: z.number().int().min(0).default(0),
  /** So many requests (or parts of batches, where it works on parts); for ever when absent. */
  times: z.number().int().positive().optional(),
  /** How often, of the requests that match. */
  probability: share.default(1),
  fault: what,
});
export const faultsSchema = z.array(faultSchema).max(1000);
export type InjectedFault = z.output<typeof faultSchema>;
export type InjectedFaultInput = z.input<typeof faultSchema>;
export type FaultKind = InjectedFault['fault'];

/** The faults that are on, and how often each is still to happen. */
export class Faults {
  #faults: { fault: InjectedFault; skip: number; left: number }[] = [];
  readonly #random: () => number;

  /** @param random from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  set(faults: readonly InjectedFault[]): void {
    this.#faults = faults.map((fault) => ({
      fault,
      skip: fault.skip,
      left: fault.times ?? Infinity,
    }));
  }

  get current(): InjectedFault[] {
    return this.#faults.filter(({ left }) => left > 0).map(({ fault }) => fault);
  }

  /** The first of these kinds that this request, or this part of it, meets. */
  meet<Kind extends FaultKind['kind']>(
    kinds: readonly Kind[],
    operation: string,
    charges: readonly Charge[],
  ): Met<Kind> | undefined {
    for (const entry of this.#faults) {
      const { fault, left } = entry;
      const isWanted = kinds.some((kind) => kind === fault.fault.kind);
      if (!isWanted || left <= 0 || fault.operations?.includes(operation) === false) continue;
      const charge = charges.find((candidate) => isTouched(fault, candidate));
      const isAny = fault.partitionKey === undefined && fault.target === undefined;
      if ((charge === undefined && !isAny) || this.#random() >= chanceOf(fault)) continue;
      if (entry.skip > 0) {
        entry.skip -= 1;
        continue;
      }
      entry.left -= 1;
      return { fault: fault.fault as Met<Kind>['fault'], charge };
    }
    return undefined;
  }
}

export interface Met<Kind extends FaultKind['kind']> {
  fault: Extract<FaultKind, { kind: Kind }>;
  /** What of the request met it; undefined for a request that takes no capacity. */
  charge: Charge | undefined;
}

function chanceOf({ fault, probability }: InjectedFault): number {
  return fault.kind === 'unprocessed' ? probability * fault.share : probability;
}

function isTouched({ partitionKey, target }: InjectedFault, charge: Charge): boolean {
  if (target !== undefined && charge.target !== target) return false;
  if (partitionKey === undefined) return true;
  return partitionKey.endsWith('*')
    ? charge.key?.startsWith(partitionKey.slice(0, -1)) === true
    : charge.key === partitionKey;
}
