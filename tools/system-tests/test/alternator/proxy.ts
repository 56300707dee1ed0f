import { startJsonProxy } from '../start-json-proxy.ts';
import type { Body } from '../start-json-proxy.ts';
import type { JsonResponse } from '../json-response.ts';

interface Capacity {
  CapacityUnits: number;
  Table?: { CapacityUnits: number };
}

interface Request {
  operation: string;
  body: Body;
}

/** A partial DynamoDB API. */
export interface AlternatorProxy {
  endpoint: string;
  /** Requests of all services, in the order of arrival. */
  requests: readonly Request[];
  /** Whether requests for consumed capacity of indexes succeed, as before version 2025.1.4; false at first. */
  takesIndexes: boolean;
  close(): Promise<void>;
}

/**
 * Stands in front of a DynamoDB API and lacks what ScyllaDB's Alternator lacks, as its issues tell it:
 * - no units of indexes are reported, and requests for them are rejected since 2025.1.4 (scylladb/scylladb#29138);
 * - a Query reports no units at all (#5027, tests in #29188);
 * - there are no transactions (#5064).
 */
export async function startAlternatorProxy(upstream: string): Promise<AlternatorProxy> {
  const requests: Request[] = [];
  const state = { requests, takesIndexes: false };
  const proxy = await startJsonProxy({
    upstream,
    answer: async (operation, body, ask) => {
      requests.push({ operation, body });
      const refusal = refusalOf(operation, body, state.takesIndexes);
      if (refusal !== undefined) return refusal;
      const answer = await ask(asUpstreamTakesIt(body));
      if ('ConsumedCapacity' in answer.body) shorten(operation, answer.body);
      return answer;
    },
  });
  return Object.assign(state, proxy);
}

function refusalOf(operation: string, body: Body, takesIndexes: boolean): JsonResponse | undefined {
  if (operation.startsWith('Transact')) {
    return refusal('UnknownOperationException', `Unsupported operation ${operation}`);
  }
  const isIgnored = takesIndexes || operation === 'Query' || operation === 'Scan';
  return body['ReturnConsumedCapacity'] === 'INDEXES' && !isIgnored
    ? refusal('ValidationException', 'INDEXES consumed capacity is not supported.')
    : undefined;
}

/** Requests all consumed capacity of upstream, and removes that of indexes. */
function asUpstreamTakesIt(body: Body): Body {
  return body['ReturnConsumedCapacity'] === 'TOTAL'
    ? { ...body, ReturnConsumedCapacity: 'INDEXES' }
    : body;
}

function refusal(type: string, message: string): JsonResponse {
  return { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message } };
}

function shorten(operation: string, answered: Body): void {
  const capacity = answered['ConsumedCapacity'] as Capacity | Capacity[];
  const ofTable = ({ Table, CapacityUnits }: Capacity) => ({
    CapacityUnits: Table?.CapacityUnits ?? CapacityUnits,
  });
  if (operation === 'Query') delete answered['ConsumedCapacity'];
  else if (Array.isArray(capacity)) answered['ConsumedCapacity'] = capacity.map(ofTable);
  else answered['ConsumedCapacity'] = ofTable(capacity);
}
