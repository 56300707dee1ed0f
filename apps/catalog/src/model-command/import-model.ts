import { importOwnTable, isOwnTable } from './own-table.ts';
import { importTable } from './foreign-table.ts';
import type { ImportedModel } from './catalog-content.ts';
import type { WorkbenchModel } from './workbench-format.ts';

/** The types and entities of a model file: an exported table unchanged, any other with a type for each facet. */
export function importModel({ DataModel }: WorkbenchModel): ImportedModel {
  const tables = DataModel.map((table) =>
    isOwnTable(table) ? { ...importOwnTable(table), leftOut: [] } : importTable(table),
  );
  return {
    types: tables.flatMap(({ types }) => types),
    entities: tables.flatMap(({ entities }) => entities),
    leftOut: tables.flatMap(({ leftOut }) => leftOut),
  };
}
