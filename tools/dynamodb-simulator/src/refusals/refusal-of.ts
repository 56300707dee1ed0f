import { checkReads } from './check-reads.ts';
import { checkTimeToLive } from './time-to-live.ts';
import { checkWrites } from './check-writes.ts';
import { Refusal } from '../rules/exceptions.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { DynamoDbResponse } from '../rules/exceptions.ts';

/** DynamoDB's rejection of a request that the engine behind might accept; checked before throughput limits. */
export async function refusalOf(asked: ClientRequest): Promise<DynamoDbResponse | undefined> {
  try {
    for (const check of [checkWrites, checkReads, checkTimeToLive]) await check(asked);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    // A malformed request is sent unchanged, so that the engine behind rejects it.
    if (!(error instanceof TypeError)) throw error;
  }
  return undefined;
}
