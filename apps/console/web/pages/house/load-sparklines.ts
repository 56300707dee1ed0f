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
  const items = await allPages((cursor) =>
    api.query.getPlaceAggregates({
      id,
      from: new Date(today.from).toISOString(),
      to: new Date(today.to).toISOString(),
      every: today.every,
      timeZone,
      fn: ['avg'],
      fields: [...new Set([...drawn.values()].map(({ field }) => field))].map(quoted).join(','),
      groupBy: 'device',
      limit: bucketLimit,
      cursor,
    }),
  );
  batch(() => {
    for (const [device, buckets] of Map.groupBy(items, (item) => item.device ?? '')) {
      const target = drawn.get(device);
      if (target === undefined) continue;
      const points = Array<SparkPoint>(today.slots).fill(null);
      for (const bucket of buckets) {
        const index = Math.floor((Date.parse(bucket.from) - today.from) / today.everyMs);
        points[index] = bucket.fields[target.field]?.avg ?? null;
      }
      const { state, field } = target;
      state.value = { ...state.peek(), sparkline: { field, points } };
    }
  });
}

/** As in CSV, where the name has a comma or a quote. */
function quoted(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
