import { deviceKey } from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { unitsOfDevice } from '../readings/reading-store.ts';
import { CorrectionStore } from './correction-store.ts';
import type { Table } from '@engawa/table';
import type { DeviceSummariesOptions } from '../aggregates/device-summaries.ts';

/** Gives the corrections of a device by its item as it is now: one GetItem, consistent. */
export function correctionsNow(
  table: Pick<Table, 'get' | 'query'>,
): NonNullable<DeviceSummariesOptions['corrections']> {
  const store = new CorrectionStore(table);
  return async (id, budget) => {
    budget.charge(unitsOfDevice);
    const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
    return store.of(item === undefined ? { id } : parseDevice(item), budget);
  };
}
