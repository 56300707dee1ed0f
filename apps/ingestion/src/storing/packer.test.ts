import { Packer } from './packer.ts';
import type { KnownDevice } from '../devices/device-register.ts';
import type { Parcel } from './parcel.ts';

const thermometer: KnownDevice = {
  id: 'thermo-1',
  kind: 'climate',
  isKindNamed: false,
  ahead: undefined,
  notedAheadMs: undefined,
  isPending: false,
  blockSpan: 0,
  lastSeenAt: 0,
  place: undefined,
  shards: [],
  partitions: [],
  oldestWritten: Infinity,
  readAt: 0,
  receivedAt: 0,
};
const door: KnownDevice = { ...thermometer, id: 'door-1', kind: 'contact' };

function start(lingerMs: number) {
  const flushed: { device: string; parcels: readonly Parcel[] }[] = [];
  const packer = new Packer({
    lingerMs: (kind) => (kind === 'contact' ? 0 : lingerMs),
    isHot: ({ id }) => id === 'hot',
    maxParcels: 3,
    flush: ({ id }, parcels) => flushed.push({ device: id, parcels }),
  });
  return { packer, flushed };
}

function parcel(): Parcel {
  const resolve = () => undefined;
  return {
    readings: [{ time: 0, fields: {} }],
    receivedAt: 0,
    resolve,
    refuse: resolve,
    fail: resolve,
  };
}

describe('readings that linger', () => {
  it('linger in any case if their device is hot, until draining', () => {
    const { packer, flushed } = start(1);
    const hot = { ...door, id: 'hot' };
    packer.add(hot, parcel(), true);
    packer.add(hot, parcel(), false);
    expect([flushed, packer.waiting]).toEqual([[], 2]);
    packer.drain();
    expect(flushed).toMatchObject([{ device: 'hot', parcels: [{}, {}] }]);
    packer.add(hot, parcel(), false);
    expect(flushed).toHaveLength(2);
  });

  it('are flushed together after their linger', async () => {
    const { packer, flushed } = start(1);
    const parcels = [parcel(), parcel()];
    for (const each of parcels) packer.add(thermometer, each, false);
    expect([flushed, packer.waiting]).toEqual([[], 2]);
    while (flushed.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(flushed).toEqual([{ device: 'thermo-1', parcels }]);
    expect(packer.waiting).toBe(0);
  });

  it('are flushed before readings that are ahead of their receipt by another time', () => {
    const { packer, flushed } = start(60_000);
    const ahead = (ms: number) => ({ ...parcel(), readings: [{ time: ms, fields: {} }] });
    for (const ms of [-5, 50_000, 300_000, 300_050, 200_000, 0]) {
      packer.add(thermometer, ahead(ms), false);
    }
    packer.flushAll();
    expect(flushed.map(({ parcels }) => parcels.map(({ readings }) => readings[0]?.time))).toEqual([
      [-5, 50_000],
      [300_000, 300_050],
      [200_000],
      [0],
    ]);
  });

  it('are flushed at once when their parcels reach the maximum number, and only once', () => {
    const { packer, flushed } = start(60_000);
    for (let index = 0; index < 3; index++) packer.add(thermometer, parcel(), false);
    expect(flushed.map(({ parcels }) => parcels.length)).toEqual([3]);
    packer.flushAll();
    expect(flushed).toHaveLength(1);
  });

  it('are flushed at once when the sender has batched them, or their kind does not linger', () => {
    const { packer, flushed } = start(60_000);
    packer.add(thermometer, parcel(), true);
    packer.add(door, parcel(), false);
    expect(flushed.map(({ device }) => device)).toEqual(['thermo-1', 'door-1']);
  });

  it('are flushed with all others', () => {
    const { packer, flushed } = start(60_000);
    packer.add(thermometer, parcel(), false);
    packer.add({ ...thermometer, id: 'thermo-2' }, parcel(), false);
    packer.flushAll();
    expect(flushed.map(({ device }) => device)).toEqual(['thermo-1', 'thermo-2']);
  });
});
