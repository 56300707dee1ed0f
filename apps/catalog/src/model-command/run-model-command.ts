import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { CatalogClient } from '../load-command/catalog-client.ts';
import { loadModel } from '../load-command/load-model.ts';
import { exportModel } from './export-model.ts';
import { orderedEntities } from './ordered-entities.ts';
import { readCatalog } from './read-catalog.ts';
import { readWorkbenchModel } from './workbench-format.ts';
import { importOwnTable, isOwnTable } from './own-table.ts';
import { importTable } from './foreign-table.ts';
import type { ImportedModel } from './catalog-content.ts';
import type { ModelOptions } from './model-options.ts';
import type { WorkbenchModel } from './workbench-format.ts';

export interface ModelCommand {
  options: ModelOptions;
  signal: AbortSignal;
  print: (line: string) => void;
}

/** @throws OperatorError for an unreadable file, or a refused request */
export async function runModelCommand(command: ModelCommand): Promise<void> {
  const { options, signal } = command;
  const client = new CatalogClient({ ...options, signal });
  const path = resolve(options.from, options.file);
  await (options.command === 'export'
    ? exportTo(path, client, command)
    : importFrom(path, client, command));
}

async function exportTo(path: string, client: CatalogClient, command: ModelCommand): Promise<void> {
  const { options, print } = command;
  const content = await readCatalog(client, options.sample);
  const date = new Date().toUTCString();
  const model = exportModel(content, { name: 'Engawa', date });
  try {
    await writeFile(path, `${JSON.stringify(model, undefined, 2)}\n`);
  } catch (error) {
    throw new OperatorError(`${options.file} cannot be written: ${(error as Error).message}`);
  }
  print(`${content.types.length} types and ${content.entities.length} entities in ${options.file}`);
}

async function importFrom(
  path: string,
  client: CatalogClient,
  { options, signal, print }: ModelCommand,
): Promise<void> {
  const model = await readImported(path, options.file);
  for (const what of model.leftOut) print(`left out: ${what}`);
  if (options.isDryRun) {
    print(JSON.stringify(model.types, undefined, 2));
    return;
  }
  const { entities, circular } = orderedEntities(model);
  const description = `${model.types.length} types and ${entities.length} entities of ${options.file}`;
  const loaded = { description, types: model.types, entities, questions: [] } as unknown;
  await loadModel({
    model: loaded as Parameters<typeof loadModel>[0]['model'],
    client,
    signal,
    print,
  });
  for (const { type, id, relations } of circular) {
    const path = `/v1/entities/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
    await client.request(path, { method: 'PATCH', body: JSON.stringify({ relations }) });
  }
}

async function readImported(path: string, file: string): Promise<ImportedModel> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  }
  return importModel(readWorkbenchModel(text));
}

/** The types and entities of a model file: an exported table unchanged, any other with a type for each facet. */
function importModel({ DataModel }: WorkbenchModel): ImportedModel {
  const tables = DataModel.map((table) =>
    isOwnTable(table) ? { ...importOwnTable(table), leftOut: [] } : importTable(table),
  );
  return {
    types: tables.flatMap(({ types }) => types),
    entities: tables.flatMap(({ entities }) => entities),
    leftOut: tables.flatMap(({ leftOut }) => leftOut),
  };
}
