import { deadLetterPartition } from '@engawa/keys';
import { until } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { FaultScenario } from './fault-scenario.ts';

const fault = faultTests();
const day = () => new Date().toISOString().slice(0, 10);
const writes = ['BatchWriteItem'];

interface Page {
  items: { topic: string }[];
  cursor?: string;
}

const unacknowledged = (scenario: FaultScenario) =>
  scenario.metric('engawa_ingest_unacknowledged_messages');

async function publishAmong(
  scenario: FaultScenario,
  poison: number,
  faults: FaultInput[],
): Promise<void> {
  await scenario.startIngestion();
  scenario.backends.simulator.setFaults(faults);
  await scenario.connectPublisher();
  await scenario.publisher.publishPoison(poison);
  await scenario.publisher.publish(scenario.messages);
}

/** Number of dead letters that the API lists. */
async function listed(scenario: FaultScenario): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
    const answer = await fetch(`${scenario.ingestion.url}/v1/deadLetters?${query.toString()}`);
    const page = (await answer.json()) as Page;
    count += page.items.filter(({ topic }) => topic.includes(scenario.prefix)).length;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return count;
}

describe('dead letters', () => {
  fault('their first key is throttled', {}, async (scenario) => {
    const partitionKey = deadLetterPartition(day(), 0);
    const throttled = { partitionKey, operations: writes, fault: { kind: 'throttle' as const } };
    await publishAmong(scenario, 100, [throttled]);
    await until('every acknowledgement', async () => (await unacknowledged(scenario)) === 0);
    await scenario.verify(undefined, { deadLettered: 100, stored: scenario.messages });
    expect(await listed(scenario)).toBe(100);
    await scenario.publisher.close();
  });

  fault('dead letters cannot be written', {}, async (scenario) => {
    const partitionKey = `DLQ#${day()}*`;
    await publishAmong(scenario, 20, [{ partitionKey, fault: { kind: 'throttle' } }]);
    await until('the poison alone', async () => (await unacknowledged(scenario)) === 20);
    scenario.backends.simulator.setFaults([]);
    await scenario.verify(undefined, { deadLettered: 20, stored: scenario.messages });
    await scenario.publisher.close();
  });

  fault('dead letters are refused for good', {}, async (scenario) => {
    const refused = { kind: 'exception' as const, name: 'ValidationException' };
    await publishAmong(scenario, 3, [
      { partitionKey: 'DLQ#*', operations: writes, fault: refused },
    ]);
    const said = await until('the reason at /readyz', async () => {
      const text = await scenario.readyzText();
      return text.includes('stays unacknowledged') ? text : undefined;
    });
    expect(said).toContain('DynamoDB rejected the item');
    await until('the poison alone', async () => (await unacknowledged(scenario)) === 3);
    scenario.backends.simulator.setFaults([]);
    await scenario.verify(undefined, { deadLettered: 3, stored: scenario.messages });
    expect(await scenario.readyzText()).not.toContain('stays unacknowledged');
    await scenario.publisher.close();
  });
});
