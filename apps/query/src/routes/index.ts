import { getAggregates } from './get-aggregates.ts';
import { getFields } from './get-fields.ts';
import { getLatest } from './get-latest.ts';
import { getLatestOfMany } from './get-latest-of-many.ts';
import { getLatestInLocation } from './get-latest-in-location.ts';
import { getReadings } from './get-readings.ts';
import { getTableFamilies } from './get-table-families.ts';
import { getTableItems } from './get-table-items.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { AggregateSource } from '../aggregates/aggregate-request.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { VisibleReadings } from '../visible-readings.ts';

export interface QueryRoutesOptions {
  table: Pick<Table, 'raw'>;
  readings: ReadingStore;
  visible: VisibleReadings;
  aggregates: AggregateSource;
  cursors: CursorCodec;
}

/** All routes of the query service, in the order in which they are matched. */
export function queryRoutes({ table, cursors, ...stores }: QueryRoutesOptions): Route[] {
  return [
    getLatest(stores),
    getLatestOfMany({ ...stores, cursors }),
    ...getLatestInLocation({ ...stores, cursors }),
    ...getFields({ ...stores, cursors }),
    ...getReadings({ ...stores, cursors }),
    ...getAggregates({ ...stores, cursors }),
    getTableFamilies(),
    getTableItems({ table, cursors }),
  ];
}
