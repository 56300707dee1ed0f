import { deviceKey, placementKey } from '@engawa/keys';
import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

describe('an event of a device that waits for approval', () => {
  const fixture = openBeforeEach(() => IngestionFixture.open());

  const placement = placementKey('home', 'door');
  const lastEvent = async () => (await fixture.table.get(placement))?.['lastEvent'];
  const publish = (contact: string) =>
    fixture.publish('engawa/door/readings', JSON.stringify({ contact }));

  it('is not shown at its placement until it is approved', async () => {
    await fixture.start({ DEVICE_ADMISSION: 'pending' });
    await publish('closed');
    await fixture.settled(1);
    await fixture.table.update(deviceKey('door'), { set: { place: 'home' } });
    await fixture.table.put({ ...placement, device: 'door' });
    await publish('open');
    await fixture.settled(2);
    await fixture.service?.close(); // which ends pending events
    expect(await lastEvent()).toBeUndefined();

    await fixture.start({ DEVICE_ADMISSION: 'pending' });
    await fixture.table.update(deviceKey('door'), { set: { status: 'active' } });
    await publish('closed');
    // The broker may deliver the former event again, which is shown first then.
    await until('the event', async () => {
      return JSON.stringify(await lastEvent()) === JSON.stringify({ contact: 'closed' });
    });
  });
});
