import type { Column } from '../route/route.ts';
import { csvLines, Verbatim } from './csv.ts';
import type { ListMediaType } from './negotiate-format.ts';

export type ListRow = Record<string, unknown>;

/** Serialization of rows. */
export interface RowFormat {
  contentType: string;
  /** Text before the first row. */
  head: string;
  text(rows: readonly ListRow[]): string;
}

/** The last column, where rows may have a cursor. */
export const cursorColumn: Column = {
  name: 'cursor',
  of: ({ cursor }) => (typeof cursor === 'string' ? new Verbatim(cursor) : undefined),
};

/** @param columns called only for formats with columns */
export async function rowFormat(
  type: Exclude<ListMediaType, 'application/json'>,
  columns: () => readonly Column[] | Promise<readonly Column[]>,
): Promise<RowFormat> {
  return type === 'text/csv' ? csv(await columns()) : ndjson;
}

const ndjson: RowFormat = {
  contentType: 'application/x-ndjson',
  head: '',
  text: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
};

function csv(columns: readonly Column[]): RowFormat {
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: csvLines([columns.map(({ name }) => name)]),
    text: (rows) => csvLines(rows.map((row) => columns.map((column) => column.of(row)))),
  };
}
