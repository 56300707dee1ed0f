import { startJsonProxy } from '../start-json-proxy.ts';
import { demandsOf } from './demands.ts';
import type { JsonResponse } from '../json-response.ts';
import type { Grant, TableLocation } from './policy.ts';

export interface PolicyProxyOptions {
  /** URL of the DynamoDB API behind the proxy. */
  upstream: string;
  place: TableLocation;
  /** The name of the client, for the text of a denial. */
  role: string;
  grants: ReadonlySet<Grant>;
}

/** A DynamoDB API that forwards requests which a policy allows, and denies others as AWS does. */
export interface PolicyProxy {
  endpoint: string;
  /** Permissions that were used and allowed. */
  used: ReadonlySet<Grant>;
  denied: ReadonlySet<Grant>;
  close(): Promise<void>;
}

export async function startPolicyProxy(options: PolicyProxyOptions): Promise<PolicyProxy> {
  const { upstream, place, grants } = options;
  const used = new Set<Grant>();
  const denied = new Set<Grant>();
  const proxy = await startJsonProxy({
    upstream,
    answer: (operation, body, ask) => {
      const demands = demandsOf(operation, body, place);
      const missing = demands.filter((demand) => !grants.has(demand));
      for (const demand of missing) denied.add(demand);
      if (missing[0] !== undefined) return Promise.resolve(denial(missing[0], options));
      for (const demand of demands) used.add(demand);
      return ask(body);
    },
  });
  return { ...proxy, used, denied };
}

function denial(demand: Grant, { place, role }: PolicyProxyOptions): JsonResponse {
  const [action, resource] = demand.split(' ');
  const who = `arn:aws:sts::${place.account}:assumed-role/${role}`;
  return {
    status: 400,
    body: {
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: `User: ${who} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    },
  };
}
