import { FieldStates } from './field-states.ts';
import type { AggregateRequest, AggregateSource } from '../aggregate-request.ts';
import type { DeviceStates, StateShare, StatesRequest } from './state-shares.ts';

/** States of a field that are counted by themselves, and of all fields of a bucket together. */
const maxStatesOfField = 100;
const minStatesOfField = 10;
const maxStatesOfBucket = 1000;

/** Values of a response that have as many bytes as a state: a text, a duration and a share. */
const valuesPerState = 4;

/** The share of each stay of a device; none where no states were requested. */
export async function stateSharesOf(
  { states }: AggregateSource,
  request: Omit<StatesRequest, 'fields' | 'maxStates'> & AggregateRequest,
): Promise<StateShare[]> {
  const { stateFunctions, fields = new Set() } = request;
  if (stateFunctions.length === 0) return [];
  return states.sharesOf({ ...request, fields, maxStates: maxStatesOf(fields) });
}

/** The states of a stay in a bucket of the request; none before it begins and after it has ended. */
export function statesIn({ first, states }: StateShare, index: number): readonly DeviceStates[] {
  return states.slice(Math.max(0, index - first), Math.max(0, index - first + 1));
}

/** The states of several devices: the sums of their durations and changes, sorted by the name of the field. */
export function statesOfBucket(
  { stateFunctions, fields = new Set() }: AggregateRequest,
  parts: readonly DeviceStates[],
): Map<string, FieldStates> | undefined {
  if (stateFunctions.length === 0) return undefined;
  const merged = new Map<string, FieldStates>();
  for (const { byField } of parts) {
    for (const [name, states] of byField) {
      const known = merged.get(name) ?? new FieldStates(maxStatesOf(fields));
      known.merge(states);
      merged.set(name, known);
    }
  }
  return new Map([...merged].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The size of the states of a bucket, in values of a response. */
export function weightOf(states: ReadonlyMap<string, FieldStates> | undefined): number {
  if (states === undefined) return 0;
  return states.values().reduce((sum, { size }) => sum + (size + 1) * valuesPerState, 0);
}

/** How many states of each field are counted by themselves in a bucket. */
function maxStatesOf({ size }: ReadonlySet<string>): number {
  const share = Math.floor(maxStatesOfBucket / Math.max(1, size));
  return Math.max(minStatesOfField, Math.min(maxStatesOfField, share));
}
