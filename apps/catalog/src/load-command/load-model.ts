import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { curlLine, fillStep } from './query-steps.ts';
import type { CatalogClient } from './catalog-client.ts';
import type { Model } from './read-model.ts';

export interface LoadModelOptions {
  model: Model;
  client: CatalogClient;
  signal: AbortSignal;
  print: (line: string) => void;
}

/** Entities in a request: few enough for a slow table to be done with them before the request is over. */
const slice = 1000;
/** Milliseconds between two looks at searches that are being built. */
const lookEvery = 500;

/** Does again what is done already without harm. @throws OperatorError for what the catalogue refuses */
export async function loadModel(options: LoadModelOptions): Promise<void> {
  const { model, client, print } = options;
  print(model.description);
  await declareTypes(options);
  await createEntities(options);
  for (const { name } of model.types) await untilBuilt(name, options);
  print('\nAsk it:');
  for (const { ask, steps } of model.questions) {
    print(`\n# ${ask}`);
    let answer: unknown;
    for (const [index, step] of steps.entries()) {
      const path = fillStep(step, answer);
      print(curlLine(client.url + path, client));
      // Only to know what the next one asks about.
      if (index < steps.length - 1) answer = await client.ask(path);
    }
  }
}

async function declareTypes({ model, client, print }: LoadModelOptions): Promise<void> {
  for (const type of model.types) {
    const { name, ...definition } = type;
    const body = JSON.stringify(definition);
    await client.ask(typePath(name), { method: 'PUT', body });
  }
  print(`types: ${model.types.map(({ name }) => name).join(', ')}`);
}

interface Report {
  entities: { created: number; existing: number };
  failed: number;
  errors: { line: number; message: string }[];
}

async function createEntities({ model, client, print }: LoadModelOptions): Promise<void> {
  const total = model.entities.length;
  let [created, existing] = [0, 0];
  for (let start = 0; start < total; start += slice) {
    const entities = model.entities.slice(start, start + slice);
    const body = entities.map((entity) => `${JSON.stringify(entity)}\n`).join('');
    const asked = { method: 'POST', type: 'application/x-ndjson', body };
    const report = (await client.ask('/v1/entities', asked)) as Report;
    const [error] = report.errors;
    if (error !== undefined) {
      const which = start + error.line;
      throw new OperatorError(
        `${report.failed} entities were refused, the first of them number ${which}: ${error.message}`,
      );
    }
    created += report.entities.created;
    existing += report.entities.existing;
    print(`entities: ${created} created, ${existing} there already, of ${total}`);
  }
}

interface ShownType {
  searches: { name: string; state: string }[];
  rankings: { name: string; state: string }[];
}

/** A type that was there and has changed gets its searches from the entities that are there. */
async function untilBuilt(type: string, options: LoadModelOptions): Promise<void> {
  const { client, signal, print } = options;
  let said = '';
  for (;;) {
    const { searches, rankings } = (await client.ask(typePath(type))) as ShownType;
    const building = [...searches, ...rankings].filter(({ state }) => state === 'building');
    if (building.length === 0) return;
    const line = `being built: ${building.map(({ name }) => `${type} ${name}`).join(', ')}`;
    if (line !== said) print(line);
    said = line;
    await sleep(lookEvery, undefined, { signal });
  }
}

function typePath(name: string): string {
  return `/v1/types/${encodeURIComponent(name)}`;
}
