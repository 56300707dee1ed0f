import { z } from 'zod';
import { isNamed } from './rules/key-name.ts';
import { limitTypes, throttlingExceptions } from './rules/throttling.ts';
import type { Charge } from './rules/charge.ts';

const share = z.number().min(0).max(1);

const what = z.discriminatedUnion('kind', [
  /** Sends no response; `write`: after the write took place, `head`: after the response's status and headers. */
  z.strictObject({
    kind: z.literal('hang'),
    after: z.enum(['nothing', 'write', 'head']).default('nothing'),
  }),
  /** Cuts the connection before or after the request takes place. */
  z.strictObject({ kind: z.literal('reset'), when: z.enum(['before', 'after']) }),
  /** Delays the response. */
  z.strictObject({ kind: z.literal('slow'), milliseconds: z.number().int().min(0).max(600_000) }),
  /** Any exception of DynamoDB's, such as InternalServerError, AccessDeniedException, ExpiredTokenException. */
  z.strictObject({
    kind: z.literal('exception'),
    name: z.string().min(1),
    message: z.string().optional(),
  }),
  /** Throttles by one of the four types of limits: the matching parts of a batch, or the whole of any other request. */
  z.strictObject({
    kind: z.literal('throttle'),
    type: z.enum(limitTypes).default('KeyRangeThroughputExceeded'),
    exception: z.enum(throttlingExceptions).optional(),
  }),
  /** Returns this share of a batch's items as unprocessed, without an exception; 1: all of them. */
  z.strictObject({ kind: z.literal('unprocessed'), share: share.default(1) }),
  /** Shifts the server's clock: it rejects signatures of the real time. */
  z.strictObject({ kind: z.literal('clock'), skewSeconds: z.number().int() }),
]);

export const faultSchema = z.strictObject({
  /** Operations, such as `BatchWriteItem`; all when absent. */
  operations: z.array(z.string()).min(1).optional(),
  /** Requests with this partition key; with a `*` at its end: with this prefix. */
  partitionKey: z.string().min(1).optional(),
  /** Requests that touch `table`, or the index of this name; any when absent. */
  target: z.string().min(1).optional(),
  /** Number of matching requests before the first fault. */
  skip: z.number().int().min(0).default(0),
  /** Maximum number of faults, counted per request or per part of a batch; unlimited when absent. */
  times: z.number().int().positive().optional(),
  /** Probability per matching request. */
  probability: share.default(1),
  fault: what,
});
export const faultsSchema = z.array(faultSchema).max(1000);
export type InjectedFault = z.output<typeof faultSchema>;
export type InjectedFaultInput = z.input<typeof faultSchema>;
export type FaultKind = InjectedFault['fault'];

/** The active faults, with their remaining counts. */
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

  /** The first active fault of these kinds that matches this request or part of it. */
  meet<Kind extends FaultKind['kind']>(
    kinds: readonly Kind[],
    operation: string,
    charges: readonly Charge[],
  ): MatchedFault<Kind> | undefined {
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
      return { fault: fault.fault as MatchedFault<Kind>['fault'], charge };
    }
    return undefined;
  }
}

export interface MatchedFault<Kind extends FaultKind['kind']> {
  fault: Extract<FaultKind, { kind: Kind }>;
  /** The matching charge of the request; undefined for a request that takes no capacity. */
  charge: Charge | undefined;
}

function chanceOf({ fault, probability }: InjectedFault): number {
  return fault.kind === 'unprocessed' ? probability * fault.share : probability;
}

function isTouched({ partitionKey, target }: InjectedFault, charge: Charge): boolean {
  if (target !== undefined && charge.target !== target) return false;
  if (partitionKey === undefined) return true;
  return charge.key !== undefined && isNamed(partitionKey, charge.key);
}
