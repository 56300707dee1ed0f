import { ask, brokenDevice } from './requests.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { LiveStack } from '../live-stack.ts';

/** Reads of this device fail in the table, so the service answers with 5xx. */
export const brokenKey: FaultInput = {
  partitionKey: `DEVICE#${brokenDevice}*`,
  fault: { kind: 'exception', name: 'InternalServerError' },
};

/** DynamoDB throttles for reasons other than a hot key, and returns parts of batches as unprocessed. */
export const otherLimits: readonly FaultInput[] = [
  throttle('ProvisionedThroughputExceeded', 'table'),
  throttle('AccountLimitExceeded', 'gsi1'),
  throttle('MaxOnDemandThroughputExceeded', 'table'),
  { probability: 0.3, operations: ['BatchWriteItem'], fault: { kind: 'unprocessed', share: 0.5 } },
];

type LimitType = Extract<FaultInput['fault'], { kind: 'throttle' }>['type'];

function throttle(type: LimitType, target: string): FaultInput {
  return { target, probability: 0.05, fault: { kind: 'throttle', type } };
}

/** Replays one dead letter and discards another, as an operator would. */
export async function tidyDeadLetters({ urls }: LiveStack): Promise<void> {
  const list = { component: 'ingestion', path: '/v1/deadLetters?limit=20' } as const;
  const { text } = await ask(urls, list);
  const { items = [] } = JSON.parse(text) as { items?: { id: string; reason: string }[] };
  const [replayed, discarded] = items;
  if (replayed !== undefined) {
    const path = `/v1/deadLetters/${replayed.id}/replay`;
    await ask(urls, { component: 'ingestion', method: 'POST', path });
  }
  if (discarded !== undefined) {
    const path = `/v1/deadLetters/${discarded.id}`;
    await ask(urls, { component: 'ingestion', method: 'DELETE', path });
  }
}
