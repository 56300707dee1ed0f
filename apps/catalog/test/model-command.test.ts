import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { parseModelOptions } from '../src/model-command/model-options.ts';
import { runModelCommand } from '../src/model-command/run-model-command.ts';
import { contentOf, itemsOf } from './catalog-rows.ts';
import { loadHere, modelNames, readModel, runScript, startQuietCatalog } from './models.ts';
import type { CatalogWithUrl } from './models.ts';
import type { Row } from './catalog-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'engawa-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string) => join(__dirname, `fixtures/workbench-${name}.json`);
/** `npm run catalog:model` in its own process. */
const runModel = (args: string[], url: string) =>
  runScript('model-command/main.ts', args, { CATALOG_URL: url });

/**
 * `npm run catalog:model` in the process of the test: a process of its own takes longer than the command.
 * @throws OperatorError, which the command prints
 */
async function modelHere(args: string[], url: string): Promise<string> {
  const options = parseModelOptions(args, { CATALOG_URL: url });
  if (options === 'help') throw new Error('the command would print its help');
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  await runModelCommand({ options, signal: new AbortController().signal, print });
  return lines.join('\n');
}

interface Facet {
  FacetName: string;
  TableData: Row[];
}

interface WorkbenchModel {
  DataModel: [{ TableFacets: Facet[] }];
  ModelMetadata: { Description: string };
}

function modelIn(path: string): WorkbenchModel {
  return JSON.parse(readFileSync(path, 'utf8')) as WorkbenchModel;
}

function facetsIn(path: string): Facet[] {
  return modelIn(path).DataModel[0].TableFacets;
}

describe('npm run catalog:model', () => {
  let from: CatalogWithUrl;
  let to: CatalogWithUrl;
  const file = join(folder, 'exported.json');
  let model: WorkbenchModel;
  let facets: Facet[];

  /** All models and a circle in one catalog, exported from it, and imported into another one. */
  beforeAll(async () => {
    [from, to] = await Promise.all([startQuietCatalog(), startQuietCatalog()]);
    for (const name of modelNames) await loadHere([name], { CATALOG_URL: from.url });
    await makeCircle();
    const exported = await runModel(['export', file, '--sample', '5000'], from.url);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    model = modelIn(file);
    facets = facetsIn(file);
    await modelHere(['import', file], to.url);
  });
  afterAll(() => Promise.all([from, to].map((catalog) => catalog.close())));

  const digits = '12345678901234567890.123';

  async function makeCircle(): Promise<void> {
    await from.ask('/v1/types/Person', {
      method: 'PUT',
      body: {
        attributes: [
          { name: 'n', kind: 'number' },
          { name: 'tags', kind: 'set' },
          { name: 'address', kind: 'map' },
        ],
        searches: [{ name: 'byTag', parts: [{ attribute: 'tags' }] }],
        additional: true,
        relations: [{ name: 'knows', to: 'Person', many: true }],
      },
    });
    for (const id of ['a', 'b']) {
      const body = `{"attributes":{"n":${digits},"tags":["a","b"],"address":{"floor":2},"other":[null]}}`;
      await from.ask(`/v1/entities/Person/${id}`, { method: 'PUT', body });
    }
    const knows = { a: ['b'], b: ['a', 'b'] };
    for (const [id, others] of Object.entries(knows)) {
      const body = { relations: { knows: others } };
      await from.ask(`/v1/entities/Person/${id}`, { method: 'PATCH', body });
    }
  }

  it.each(modelNames)('%s is unchanged after export and import', async (name) => {
    const { types, entities } = readModel(name);
    const names = types.map((type) => type.name);
    const before = await contentOf(from, names);
    expect(before.types).toHaveLength(types.length);
    expect(before.entities).toHaveLength(entities.length);
    expect(await contentOf(to, names)).toEqual(before);
  });

  it('exports rows as in the table, with one facet per type, entity kind and search', () => {
    const ofMusic = /^(relations of )?(Album|Artist|Song)\b/;
    const names = facets.map(({ FacetName }) => FacetName);
    expect(names[0]).toBe('types');
    expect(names.filter((name) => ofMusic.test(name))).toEqual([
      'Album',
      'relations of Album',
      'Album byGenre',
      'Artist',
      'Artist byName',
      'Song',
      'relations of Song',
      'Song byTitle',
      'Song byArtistAndYear',
    ]);
    const songs = facets.find(({ FacetName }) => FacetName === 'Song')?.TableData;
    expect(songs).toHaveLength(
      readModel('music').entities.filter(({ type }) => type === 'Song').length,
    );
    expect(songs?.[0]).toMatchObject({ pk: { S: 'E#Song#1' }, version: { N: '1' } });
    expect(model.ModelMetadata.Description).toContain(
      'Song byArtistAndYear: Query of gsi2 by artist, then released',
    );
  });

  it('exports unique values with their owners', async () => {
    const values = facets.find(({ FacetName }) => FacetName === 'unique values of User');
    // In the order of the bulk request.
    const rows = (values?.TableData ?? []) as Record<string, { S: string } | undefined>[];
    const row = rows.find(({ owner }) => owner?.S === 'anna');
    expect(row).toMatchObject({ value: { S: 'anna@example.com' } });
    const stored = { pk: row?.['pk']?.S ?? '', sk: row?.['sk']?.S ?? '' };
    const item = await from.table.get(stored, { consistent: true });
    expect(item).toMatchObject({ owner: 'anna' });
  });

  it('imports a facet as a type and keys by their aliases, and lists what it leaves out', async () => {
    const ended = await runModel(['import', fixture('clinic')], to.url);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.match(/^left out: .*$/gm)).toEqual([
      'left out: Patient.Scan: an attribute of the type B',
      'left out: Patient: row 3, whose key is empty, too long or a duplicate',
      'left out: Patient: the index byNameAndDoctor, since the facet has only one of its keys',
      'left out: Visit p#1/v#2026-03-04.Cost: a value that is not of the type N',
      'left out: Visit: the index byNameAndDoctor, since the facet has only one of its keys',
    ]);
    const patient = await to.ask('/v1/entities/Patient/p%231%2Fp%231');
    expect(patient.body).toMatchObject({
      attributes: {
        PatientId: 'p#1',
        Name: 'Mori',
        Born: '1980-02-29',
        Weight: 71.5,
        Insured: true,
        Address: { City: '京都', Floor: 3 },
        Notes: ['calm', null, false],
        Allergies: ['dust', 'nuts'],
        Doses: [0.5, 2],
      },
    });
    const found = '/v1/search/Visit/byDoctor?eq=d%237&from=2026-02-01T00:00:00Z';
    expect((await to.ask(found)).body).toMatchObject({
      items: [{ id: 'p#2/v#2026-02-03', values: { Doctor: 'd#7' } }],
    });
    const ofPatient = '/v1/search/Visit/byKey?eq=p%231&prefix=v%232026-03';
    expect((await to.ask(ofPatient)).body).toMatchObject({
      items: [{ id: 'p#1/v#2026-03-04' }],
    });
  });

  it('imports tables without facets, and numbers as ids', async () => {
    const printed = await modelHere(['import', fixture('library')], to.url);
    expect(printed).toContain('left out: Book: the connection to MySQL (DataAccess)');
    expect(await idsOf('/v1/search/Book/byPages?from=200')).toEqual(['978-2']);
    expect(await idsOf('/v1/search/Loan/byKey?eq=7')).toEqual(['7/2026-10-01', '7/2026-11-01']);
  });

  async function idsOf(path: string): Promise<unknown[]> {
    return (await itemsOf(to, path)).map(({ id }) => id);
  }

  it('imports circular relations and numbers with many digits', async () => {
    const before = await contentOf(from, ['Person']);
    expect(before.entities).toHaveLength(2);
    expect(await contentOf(to, ['Person'])).toEqual(before);
    const again = join(folder, 'again.json');
    await modelHere(['export', again], to.url);
    const { TableData } = facetsIn(again).find(({ FacetName }) => FacetName === 'Person') ?? {};
    expect(JSON.stringify(TableData).split(`"N":"${digits}"`)).toHaveLength(3);
  });

  it('changes nothing in a dry run', async () => {
    const printed = await modelHere(['import', fixture('clinic'), '--dry-run'], from.url);
    expect(printed).toContain('"name": "Patient"');
    const names = (await itemsOf(from, '/v1/types')).map(({ name }) => String(name));
    expect(names).toContain('Song');
    expect(names.filter((name) => ['Patient', 'Visit'].includes(name))).toEqual([]);
  });
});

describe('npm run catalog:model exits with one line of explanation', () => {
  const nowhere = 'http://127.0.0.1:1';

  it('on standard error', async () => {
    const missing = join(folder, 'missing.json');
    const { code, stderr } = await runModel(['import', missing], nowhere);
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be read');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [['import', fileWith('{"DataModel": 1}')], 'is not a model of NoSQL Workbench: ModelName'],
    [['import', fileWith('{')], 'the file is not JSON'],
    [['merge', 'a'], 'give export or import, and a file'],
    [['export', 'a', '--sample', 'all'], "--sample must be a number of entities, not 'all'"],
  ])('after %j', async (args, reason) => {
    const error = await modelHere(args, nowhere).catch((refused: unknown) => refused);
    // The command prints the message of an OperatorError, and the stack of any other error.
    expect(error).toBeInstanceOf(OperatorError);
    const { message } = error as OperatorError;
    expect(message).toContain(reason);
    expect(message).not.toContain('\n');
  });

  function fileWith(text: string): string {
    const path = join(folder, `${text.length}.json`);
    writeFileSync(path, text);
    return path;
  }
});
