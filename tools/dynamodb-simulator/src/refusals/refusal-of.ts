import { refusedIndexKey } from './index-keys.ts';
import { refusedName } from './attribute-names.ts';
import { refusedOperands } from './operands.ts';
import { refusedQuery } from './query-bounds.ts';
import { refusedTimeToLive } from './time-to-live.ts';
import { exception } from '../exceptions.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { DynamoDbResponse } from '../upstream.ts';

/** Says why DynamoDB refuses a request; undefined where it does not. */
type Check = (asked: ClientRequest) => string | undefined | Promise<string | undefined>;

/** What DynamoDB refuses and some engines behind the simulator let pass. */
const checks: readonly Check[] = [
  refusedName,
  refusedOperands,
  refusedIndexKey,
  refusedQuery,
  refusedTimeToLive,
];

/** DynamoDB's refusal of a request that the engine behind might take; it comes before any limit of throughput. */
export async function refusalOf(asked: ClientRequest): Promise<DynamoDbResponse | undefined> {
  try {
    for (const check of checks) {
      const message = await check(asked);
      if (message !== undefined) return exception('ValidationException', message);
    }
  } catch (error) {
    // A malformed request is sent as it is: the engine behind says best what is wrong with it.
    if (!(error instanceof TypeError)) throw error;
  }
  return undefined;
}
