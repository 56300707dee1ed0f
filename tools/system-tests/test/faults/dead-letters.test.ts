import { deadLetterPartition } from '@engawa/keys';
import { until } from '@engawa/testing';
import { faultTests } from './scene.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { Scene } from './scene.ts';

const fault = faultTests();
const day = () => new Date().toISOString().slice(0, 10);
const writes = ['BatchWriteItem'];

interface Page {
  items: { topic: string }[];
  cursor?: string;
}

const unacknowledged = (scene: Scene) => scene.metric('engawa_ingest_unacknowledged_messages');

async function publishAmong(scene: Scene, poison: number, faults: FaultInput[]): Promise<void> {
  await scene.startIngestion();
  scene.ground.simulator.setFaults(faults);
  await scene.connectPublisher();
  await scene.publisher.publishPoison(poison);
  await scene.publisher.publish(scene.messages);
}

/** Number of dead letters that the API lists. */
async function listed(scene: Scene): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
    const answer = await fetch(`${scene.ingestion.url}/v1/deadLetters?${query.toString()}`);
    const page = (await answer.json()) as Page;
    count += page.items.filter(({ topic }) => topic.includes(scene.prefix)).length;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return count;
}

describe('dead letters', () => {
  fault('their first key is throttled', {}, async (scene) => {
    const partitionKey = deadLetterPartition(day(), 0);
    const throttled = { partitionKey, operations: writes, fault: { kind: 'throttle' as const } };
    await publishAmong(scene, 100, [throttled]);
    await until('every acknowledgement', async () => (await unacknowledged(scene)) === 0);
    await scene.verify(undefined, { deadLettered: 100, stored: scene.messages });
    expect(await listed(scene)).toBe(100);
    await scene.publisher.close();
  });

  fault('dead letters cannot be written', {}, async (scene) => {
    const partitionKey = `DLQ#${day()}*`;
    await publishAmong(scene, 20, [{ partitionKey, fault: { kind: 'throttle' } }]);
    await until('the poison alone', async () => (await unacknowledged(scene)) === 20);
    scene.ground.simulator.setFaults([]);
    await scene.verify(undefined, { deadLettered: 20, stored: scene.messages });
    await scene.publisher.close();
  });

  fault('dead letters are refused for good', {}, async (scene) => {
    const refused = { kind: 'exception' as const, name: 'ValidationException' };
    await publishAmong(scene, 3, [{ partitionKey: 'DLQ#*', operations: writes, fault: refused }]);
    const said = await until('the reason at /readyz', async () => {
      const text = await scene.readyzText();
      return text.includes('stays unacknowledged') ? text : undefined;
    });
    expect(said).toContain('DynamoDB rejected the item');
    await until('the poison alone', async () => (await unacknowledged(scene)) === 3);
    scene.ground.simulator.setFaults([]);
    await scene.verify(undefined, { deadLettered: 3, stored: scene.messages });
    expect(await scene.readyzText()).not.toContain('stays unacknowledged');
    await scene.publisher.close();
  });
});
