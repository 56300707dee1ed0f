import { refusedIndexKey } from './index-keys.ts';
import { refusedName } from './attribute-names.ts';
import { refusedProjection } from './index-projection.ts';
import { refusedOperands } from './operands.ts';
import { refusedQuery } from './query-bounds.ts';
import { refusedTimeToLive } from './time-to-live.ts';
import { exception } from '../exceptions.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { DynamoDbResponse } from '../upstream.ts';

/** DynamoDB's message for a rejected request; undefined for an accepted one. */
type Check = (asked: ClientRequest) => string | undefined | Promise<string | undefined>;

/** Requests that DynamoDB rejects and some engines behind the simulator accept. */
const checks: readonly Check[] = [
  refusedName,
  refusedOperands,
  refusedIndexKey,
  refusedQuery,
  refusedProjection,
  refusedTimeToLive,
];

/** DynamoDB's rejection of a request that the engine behind might accept; checked before throughput limits. */
export async function refusalOf(asked: ClientRequest): Promise<DynamoDbResponse | undefined> {
  try {
    for (const check of checks) {
      const message = await check(asked);
      if (message !== undefined) return exception('ValidationException', message);
    }
  } catch (error) {
    // A malformed request is sent unchanged, so that the engine behind rejects it.
    if (!(error instanceof TypeError)) throw error;
  }
  return undefined;
}
