import { ask, brokenDevice } from './requests.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { LiveStack } from '../live-stack.ts';

/** Whoever reads this device gets an error of the table, and so answers with a 5xx. */
export const brokenKey: FaultInput = {
  partitionKey: `DEVICE#${brokenDevice}*`,
  fault: { kind: 'exception', name: 'InternalServerError' },
};

/** DynamoDB refuses for reasons that have nothing to do with a key, and gives parts of batches back. */
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

/** What an operator does with dead letters: one is replayed, others are discarded. */
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
