import { parkedBlockKey } from '@engawa/keys';
import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Parking } from './parking.ts';
import type { Reading } from '@engawa/model';
import type { KnownDevice } from '../../devices/device-register.ts';
import type { QueuedParcel } from '../parcel.ts';

function aDevice(id: string): KnownDevice {
  const unknown = { lastSeenAt: 0, place: undefined, oldestWritten: Infinity };
  const times = { readAt: 0, receivedAt: 0 };
  return {
    id,
    kind: 'climate',
    isKindNamed: false,
    ahead: undefined,
    notedAheadMs: undefined,
    isPending: false,
    partitions: [],
    blockSpan: 0,
    shards: [],
    ...unknown,
    ...times,
  };
}

const [hot, cold] = [aDevice('hot'), aDevice('cold')];
const keyOf = (device: string, time: number) =>
  parkedBlockKey({ device, newest: time, hash: String(time) });

interface PendingPark {
  device: string;
  times: number[];
  end: PromiseWithResolvers<undefined>;
}

const parkedBlock = { device: 'hot', parkedAt: 0, receivedAt: 0, readings: [] };

/** A parking whose blocks are written under control of the test. */
class ParkingFixture {
  readonly parks: PendingPark[] = [];
  readonly removed: string[] = [];
  readonly heard: string[] = [];
  /** Errors of the next attempts to pack readings. */
  readonly packErrors: Error[] = [];
  readonly parking = new Parking({
    blocks: {
      pack: (device, readings) => {
        const error = this.packErrors.shift();
        if (error !== undefined) return Promise.reject(error);
        const items = readings.map(({ time, fields }) => ({
          ...{
            ...keyOf(device, time),
            device,
            owner: 'me',
            parkedAt: 0,
            receivedAt: 0,
            offsets: [0],
          },
          fields: { text: [fields['text'] as string] },
        }));
        return Promise.resolve(items);
      },
      park: (blocks) => {
        const device = blocks[0]?.device ?? '';
        const times = blocks.map(({ sk }) => Number(sk.split('#').at(-1)));
        const end = Promise.withResolvers<undefined>();
        this.parks.push({ device, times, end });
        return end.promise;
      },
      remove: (keys) => {
        this.removed.push(...keys.map(({ sk }) => sk));
        return Promise.resolve();
      },
    },
    isThrottled: ({ id }) => id === 'hot',
    maxHeldBytes: 1_000_000,
    log: pino({ level: 'silent' }),
  });

  track(time: number, device = hot, bytes = 10): QueuedParcel {
    const readings: Reading[] = [{ time, fields: { text: 'x'.repeat(bytes) } }];
    const [parcel] = this.parking.track(device, [
      {
        readings,
        receivedAt: time,
        resolve: () => this.heard.push(`${time} durable`),
        refuse: () => this.heard.push(`${time} refused`),
        fail: () => this.heard.push(`${time} unknown`),
      },
    ]);
    if (parcel === undefined) throw new Error('no parcel');
    return parcel;
  }

  parked(count: number): Promise<unknown> {
    return until(
      `${count} readings to be parked`,
      () => this.parks.flatMap(({ times }) => times).length === count,
    );
  }

  async end({ end }: PendingPark): Promise<void> {
    end.resolve(undefined);
    await end.promise;
    await Promise.resolve();
  }
}

let fixture: ParkingFixture;
beforeEach(() => (fixture = new ParkingFixture()));
afterEach(() => fixture.parking.close());

it('makes readings of a throttled device durable elsewhere, and deletes the blocks once its key has accepted them', async () => {
  const parcels = [fixture.track(1), fixture.track(2)];
  await fixture.parked(2);
  expect(fixture.heard).toEqual([]);
  // Together, so that they share blocks.
  expect(fixture.parks).toHaveLength(1);
  for (const park of fixture.parks) await fixture.end(park);
  expect(fixture.heard).toEqual(['1 durable', '2 durable']);
  expect(parcels.map(({ isParked }) => isParked)).toEqual([true, true]);
  parcels[0]?.resolve();
  await fixture.parking.close();
  expect(fixture.removed).toEqual([]);
  parcels[1]?.resolve();
  await fixture.parking.close();
  expect(fixture.removed).toEqual([keyOf('hot', 1).sk, keyOf('hot', 2).sk]);
  expect(fixture.heard).toEqual(['1 durable', '2 durable']);
});

it('leaves other devices alone', async () => {
  const other = fixture.track(1, cold);
  fixture.track(2);
  await fixture.parked(1);
  expect(fixture.parks.map(({ device }) => device)).toEqual(['hot']);
  other.resolve();
  expect(fixture.heard).toEqual(['1 durable']);
});

it('deletes a block that is written after its readings are stored', async () => {
  const parcel = fixture.track(1);
  await fixture.parked(1);
  parcel.resolve();
  expect(fixture.heard).toEqual(['1 durable']);
  for (const park of fixture.parks) await fixture.end(park);
  await fixture.parking.close();
  expect(fixture.removed).toEqual([keyOf('hot', 1).sk]);
  expect(fixture.heard).toEqual(['1 durable']);
});

it('continues with the key of the device when parking fails, and parks again', async () => {
  const parcel = fixture.track(1);
  await fixture.parked(1);
  fixture.parks[0]?.end.reject(new Error('closed'));
  await until('another attempt', () => fixture.parks.length > 1);
  expect(fixture.heard).toEqual([]);
  parcel.fail(new Error('closed'));
  expect(fixture.heard).toEqual(['1 unknown']);
});

it('continues with the key of the device when packing fails, and parks again', async () => {
  fixture.packErrors.push(new Error('no memory'));
  const parcel = fixture.track(1);
  await fixture.parked(1);
  expect(fixture.packErrors).toEqual([]);
  for (const park of fixture.parks) await fixture.end(park);
  expect([fixture.heard, parcel.isParked]).toEqual([['1 durable'], true]);
});

it('keeps a block with a rejected reading whose sender was told that it is durable', async () => {
  const parcel = fixture.track(1);
  await fixture.parked(1);
  for (const park of fixture.parks) await fixture.end(park);
  parcel.refuse(parcel.readings, 'no');
  parcel.resolve();
  parcel.fail(new Error('later'));
  await fixture.parking.close();
  expect(fixture.removed).toEqual([]);
  expect(fixture.heard).toEqual(['1 durable']);
});

it('reports a rejection to the sender that still waits', () => {
  const parcel = fixture.track(1, cold);
  parcel.refuse(parcel.readings, 'no');
  parcel.resolve();
  expect(fixture.heard).toEqual(['1 refused', '1 durable']);
});

it('leaves readings beyond its memory limit to the table', async () => {
  const big = fixture.track(1, hot, 600_000);
  await fixture.parked(1);
  for (const park of fixture.parks) await fixture.end(park);
  expect([fixture.parking.hasRoom, big.isSpilled]).toEqual([false, false]);
  const beyond = fixture.track(2);
  await fixture.parked(2);
  for (const park of fixture.parks) await fixture.end(park);
  expect(beyond.isSpilled).toBe(true);
  expect([fixture.parking.takeSpilled(), fixture.parking.takeSpilled()]).toEqual([true, false]);
  expect(fixture.parking.isTracked(keyOf('hot', 1))).toBe(true);
  expect(fixture.parking.isTracked(keyOf('hot', 2))).toBe(false);
  big.resolve();
  expect([fixture.parking.hasRoom, fixture.parking.shouldReadBack]).toEqual([true, true]);
});

it('deletes a block once that was left to the table and adopted while its first copy was in flight', async () => {
  const [big, small] = [fixture.track(1, hot, 600_000), fixture.track(2)];
  await fixture.parked(2);
  for (const park of fixture.parks) await fixture.end(park);
  const beyond = fixture.track(3);
  await fixture.parked(3);
  for (const park of fixture.parks) await fixture.end(park);
  big.resolve();
  small.resolve();
  const block = { ...parkedBlock, key: keyOf('hot', 3), owner: 'me' };
  const adopted = fixture.parking.adopt(hot, block);
  beyond.resolve();
  adopted.resolve();
  await fixture.parking.close();
  expect(fixture.removed).toEqual([1, 2, 3].map((time) => keyOf('hot', time).sk));
});

it('deletes an adopted block once its readings are stored', async () => {
  const key = keyOf('hot', 7);
  const block = { ...parkedBlock, key, owner: 'other' };
  const parcel = fixture.parking.adopt(hot, block);
  expect([parcel.isParked, fixture.parking.isTracked(key)]).toEqual([true, true]);
  parcel.resolve();
  await fixture.parking.close();
  // A page that was read before the deletion may be processed after it.
  expect([fixture.removed, fixture.parking.isTracked(key)]).toEqual([[key.sk], true]);
  fixture.parking.beginRound();
  expect(fixture.parking.isTracked(key)).toBe(false);
});
