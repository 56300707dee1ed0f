import { batch } from '@preact/signals';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { timeZone } from '../../i18n/format.ts';
import { mainField } from './model.ts';
import type { Signal } from '@preact/signals';
import type { DeviceState } from './model.ts';
import type { Today } from './today.ts';
import type { SparkPoint } from '../../parts/sparkline.tsx';

/** A row of the response is a bucket of a device. */
const bucketLimit = 1000;

/** Requests at the same time for devices without a place. */
const maxParallel = 4;

interface Bucket {
  from: string;
  fields: Readonly<Record<string, { avg?: number | null | undefined }>>;
}

/** Adds the sparklines of today to devices of a place: one list of aggregates for all devices. */
export async function loadSparklines(
  id: string,
  devices: readonly Signal<DeviceState>[],
  today: Today,
): Promise<void> {
  const drawn = new Map<string, { state: Signal<DeviceState>; field: string }>();
  for (const state of devices) {
    const field = mainField(state.peek().fields);
    if (field !== undefined) drawn.set(state.peek().id, { state, field });
  }
  if (drawn.size === 0) return;
  const fields = [...new Set([...drawn.values()].map(({ field }) => field))];
  const items = await allPages((cursor) =>
    api.query.getPlaceAggregates({ id, ...bucketsOf(today, fields), groupBy: 'device', cursor }),
  );
  batch(() => {
    for (const [device, buckets] of Map.groupBy(items, (item) => item.device ?? '')) {
      const target = drawn.get(device);
      if (target !== undefined) draw(target.state, target.field, { buckets, today });
    }
  });
}

/** Adds the sparklines of today to devices without a place. @returns the devices whose requests failed */
export async function loadDeviceSparklines(
  devices: readonly Signal<DeviceState>[],
  today: Today,
): Promise<Signal<DeviceState>[]> {
  const waiting = [...devices];
  const failed: Signal<DeviceState>[] = [];
  const loadNext = async (): Promise<void> => {
    for (let state = waiting.shift(); state !== undefined; state = waiting.shift()) {
      await loadOfDevice(state, today).catch(() => failed.push(state));
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, loadNext));
  return failed;
}

async function loadOfDevice(state: Signal<DeviceState>, today: Today): Promise<void> {
  const { id, fields } = state.peek();
  const field = mainField(fields);
  if (field === undefined) return;
  const buckets = await allPages((cursor) =>
    api.query.getAggregates({ id, ...bucketsOf(today, [field]), cursor }),
  );
  draw(state, field, { buckets, today });
}

function bucketsOf(today: Today, fields: readonly string[]) {
  return {
    from: new Date(today.from).toISOString(),
    to: new Date(today.to).toISOString(),
    every: today.every,
    timeZone,
    fn: ['avg' as const],
    fields: fields.map(quoted).join(','),
    limit: bucketLimit,
  };
}

function draw(
  state: Signal<DeviceState>,
  field: string,
  { buckets, today }: { buckets: readonly Bucket[]; today: Today },
): void {
  const points = Array<SparkPoint>(today.slots).fill(null);
  for (const bucket of buckets) {
    const index = Math.floor((Date.parse(bucket.from) - today.from) / today.everyMs);
    points[index] = bucket.fields[field]?.avg ?? null;
  }
  state.value = { ...state.peek(), sparkline: { field, points } };
}

/** As in CSV, where the name has a comma or a quote. */
function quoted(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
