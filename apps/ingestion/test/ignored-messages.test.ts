import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

describe('a message without a reading', () => {
  it('is acknowledged and counted, and leaves nothing in the table', async () => {
    await fixture.start();
    const puts = () => fixture.metric('engawa_table_attempts_total', { operation: 'PutItem' });
    await until('the record of the session', async () => (await puts()) === 1);
    await fixture.publish('zigbee2mqtt/bridge/state', '{"state":"online"}');
    await fixture.settled(1);
    const labels = { decoder: 'zigbee2mqtt', outcome: 'ignored' };
    expect(await fixture.metric('engawa_ingest_messages_total', labels)).toBe(1);
    expect((await fixture.ask('/v1/deadLetters')).body).toEqual({ items: [] });
    expect(await puts()).toBe(1);
    const updates = { operation: 'UpdateItem' };
    // The table gets its id at the start.
    expect(await fixture.metric('engawa_table_attempts_total', updates)).toBe(1);
  });
});
