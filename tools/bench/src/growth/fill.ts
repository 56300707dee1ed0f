import { deviceOf, packedBlocks, singleBlocks } from '../query/series.ts';
import { hour, hours } from '../query/month.ts';
import type { RawTable } from '../raw-table.ts';
import type { Size } from './sizes.ts';

/** The device that is queried; it has the same readings at each size, and older ones. */
export const subject = 'subject';
/** Readings of the last hour of the month, one per minute; earlier hours have one each. */
export const lastHour = 60;

const minute = 60_000;
/** Readings of a block of the other devices, and of the older readings. */
const packed = 60;
const ofMonth = hours - 1 + lastHour;

export interface Month {
  from: number;
  to: number;
}

/** Writes a table: of the readings beyond the queried ones, half are older ones of the subject. */
export async function fill(table: RawTable, { readings, devices }: Size, month: Month) {
  const older = Math.floor((readings - ofMonth) / 2 / packed) * packed;
  await table.store(devicesOf(devices));
  await table.store(subjectBlocks(month, Math.max(0, older)));
  await table.store(otherBlocks(month, readings - ofMonth - older, devices - 1));
}

export function otherName(index: number): string {
  return `other-${String(index).padStart(6, '0')}`;
}

function* devicesOf(devices: number): Generator<object> {
  yield deviceOf(subject, packed * minute);
  for (let index = 0; index < devices - 1; index++)
    yield deviceOf(otherName(index), packed * minute);
}

function* subjectBlocks({ from, to }: Month, older: number): Generator<object> {
  yield* singleBlocks(subject, { start: from, step: hour, count: hours - 1 });
  yield* singleBlocks(subject, { start: to - hour, step: minute, count: lastHour });
  yield* packedBlocks(
    subject,
    { start: from - older * minute, step: minute, count: older },
    packed,
  );
}

/** Shares the readings among the devices, in blocks that end with the month. */
function* otherBlocks({ to }: Month, readings: number, devices: number): Generator<object> {
  const each = Math.floor(readings / devices);
  const rest = readings - each * devices;
  for (let index = 0; index < devices; index++) {
    const count = each + (index < rest ? 1 : 0);
    const start = to - count * minute;
    yield* packedBlocks(otherName(index), { start, step: minute, count }, packed);
  }
}
