import type { WrittenItem } from '../ingestion/durable-tap.ts';

/** A reading by its device and its time in epoch milliseconds. */
export interface ReadingKey {
  device: string;
  time: number;
}

const blockKey = /^#TS#([^#]+)#/;

/** The readings of an item: one in a plain table, all of a block in Engawa's table, none of other items. */
export function readingsOfItem({ pk, sk, offsets, device, ts }: WrittenItem): ReadingKey[] {
  if (device?.S !== undefined && ts?.S !== undefined) {
    return [{ device: device.S, time: Date.parse(ts.S) }];
  }
  const owner = pk?.S?.split('#')[1];
  const newest = blockKey.exec(sk?.S ?? '')?.[1];
  if (owner === undefined || newest === undefined) return [];
  return (offsets?.L ?? [{ N: '0' }]).map(({ N }) => {
    return { device: owner, time: Date.parse(newest) - Number(N) };
  });
}
