import { setTimeout as sleep } from 'node:timers/promises';
import { announcedProgress, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { RequestOutcome } from './table-proxy.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const devices = 2500;
const requestMs = 10;

it('2,500 new devices are registered at a table that answers 100 requests a second', async () => {
  const proxy = await fixture.openProxy();
  let last = Promise.resolve();
  let waiting = 0;
  let most = 0;
  proxy.fateOf = async ({ operation }): Promise<RequestOutcome> => {
    const isUpdate = operation === 'UpdateItem';
    if (isUpdate) most = Math.max(most, ++waiting);
    last = last.then(() => sleep(requestMs));
    await last;
    if (isUpdate) waiting -= 1;
    return 'answered';
  };
  // Longer than the requests in flight take on a busy machine, shorter than all of them take.
  const DYNAMODB_TIMEOUT_MS = '15000';
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint, DYNAMODB_TIMEOUT_MS, LINGER_MS: '0' });
  const updates = () => fixture.metric('engawa_table_attempts_total', { operation: 'UpdateItem' });
  const atStart = await updates(); // of the table's id
  await Promise.all(
    Array.from({ length: devices }, (_, number) =>
      fixture.publish(`engawa/d-${number}/readings`, JSON.stringify({ x: number })),
    ),
  );
  const stored = () => fixture.metric('engawa_ingest_readings_total');
  await until('all to be stored', async () => (await stored()) === devices, {
    progress: announcedProgress('readings stored', stored),
  });
  expect(most).toBeLessThanOrEqual(32);
  expect((await updates()) - atStart).toBe(devices);
});
