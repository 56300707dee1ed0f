import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { invariant, OperatorError } from '@engawa/errors';
import { parseExactJson } from '@engawa/model';
import { z } from 'zod';

/** Types and entities are only checked by the catalog. */
const modelSchema = z.strictObject({
  description: z.string(),
  types: z.array(z.looseObject({ name: z.string() })),
  // An entity without an id would be created again by each run.
  entities: z.array(z.looseObject({ type: z.string(), id: z.string() })),
  questions: z
    .array(
      z.strictObject({
        ask: z.string().describe('In words.'),
        steps: z
          .array(z.string().startsWith('/'))
          .min(1)
          .describe('Paths to GET; `{id}` is the id of the first item of the answer before.'),
        expect: z
          .looseObject({})
          .describe('Members that the response of the last request must contain.'),
        requests: z.int().describe('DynamoDB requests, of all steps together.'),
      }),
    )
    .default([]),
});

export type Model = z.output<typeof modelSchema>;

export interface ModelFolders {
  /** The folder of named models. */
  folder: string;
  /** The folder of relative paths. */
  from: string;
}

/** A model by its name, or by the path of its file. @throws OperatorError where it is missing or invalid */
export async function readModel(model: string, { folder, from }: ModelFolders): Promise<Model> {
  const isPath = /[./\\]/.test(model);
  const file = isPath ? resolve(from, model) : join(folder, `${model}.json`);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isPath) throw new OperatorError(`${model} cannot be read: ${(error as Error).message}`);
    const names = await modelNames(folder);
    throw new OperatorError(`there is no model "${model}"; there are ${names.join(', ')}`);
  }
  return checkModel(model, text);
}

export async function modelNames(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();
}

function checkModel(name: string, text: string): Model {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    throw new OperatorError(`${name} is not JSON: ${(error as Error).message}`);
  }
  const { success, data, error } = modelSchema.safeParse(value);
  if (success) return data;
  const issue = invariant(error.issues[0], 'an error of a schema has an issue');
  const path = z.core.toDotPath(issue.path);
  throw new OperatorError(`${name} is not a valid model: ${path} ${issue.message}`.trim());
}
