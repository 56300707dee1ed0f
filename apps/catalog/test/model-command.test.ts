import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { modelNames, readModel, runLoad, startQuietCatalog } from './models.ts';
import type { CatalogWithUrl, CommandResult } from './models.ts';

const folder = mkdtempSync(join(tmpdir(), 'engawa-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string) => join(__dirname, `fixtures/workbench-${name}.json`);
const script = join(__dirname, '../src/model-command/main.ts');

let catalog: CatalogWithUrl;

/** `npm run catalog:model` in its own process. */
async function runCommand(args: readonly string[], url: string): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], CATALOG_URL: url };
  return promisify(execFile)(process.execPath, [script, ...args], { env }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as CommandResult,
  );
}

const runModel = (...args: string[]) => runCommand(args, catalog.url);

type Row = Record<string, unknown>;

/** Entities without automatic properties. */
async function contentOf(): Promise<{ types: Row[]; entities: Row[] }> {
  const types = await itemsOf('/v1/types');
  const entities = [];
  for (const { name } of types) {
    entities.push(
      ...(await itemsOf(`/v1/entities/${encodeURIComponent(String(name))}?whole=true`)),
    );
  }
  const kept = new Set(['createdAt', 'changedAt', 'updatedAt', 'version']);
  const without = (row: Row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !kept.has(name)));
  const automatic = new Set(
    types.flatMap(({ attributes }) =>
      (attributes as Row[]).flatMap((one) => (one['automatic'] === undefined ? [] : [one['name']])),
    ),
  );
  const given = ({ attributes, ...entity }: Row): Row => {
    const own = Object.entries(attributes as Row).filter(([name]) => !automatic.has(name));
    return { ...without(entity), attributes: Object.fromEntries(own) };
  };
  return { types: types.map(without), entities: entities.map(given).toSorted(byName) };
}

const nameOf = (row: Row) => JSON.stringify([row['type'], row['id']]);
const byName = (one: Row, other: Row) => (nameOf(one) < nameOf(other) ? -1 : 1);

/** Numbers as texts, so that all digits are compared. */
async function itemsOf(path: string): Promise<Row[]> {
  const items: Row[] = [];
  let cursor = '';
  do {
    const { body } = await catalog.ask(
      `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`,
    );
    const page = body as { items: Row[]; cursor?: string };
    items.push(...page.items);
    cursor = page.cursor === undefined ? '' : `&cursor=${encodeURIComponent(page.cursor)}`;
  } while (cursor !== '');
  return items;
}

describe('npm run catalog:model', () => {
  beforeEach(async () => (catalog = await startQuietCatalog()));
  afterEach(() => catalog.close());

  it.each(modelNames)('%s is unchanged after export and import', async (name) => {
    const loaded = await runLoad([name], { CATALOG_URL: catalog.url });
    expect(loaded.stderr).toBe('');
    const before = await contentOf();
    expect(before.entities.length).toBeGreaterThan(0);
    const file = join(folder, `${name}.json`);
    expect(await runModel('export', file, '--sample', '5000')).toMatchObject({
      code: 0,
      stderr: '',
    });
    await catalog.close();
    catalog = await startQuietCatalog();
    expect(await runModel('import', file)).toMatchObject({ code: 0, stderr: '' });
    expect(await contentOf()).toEqual(before);
  });

  it('exports rows as in the table, with one facet per type, entity kind and search', async () => {
    await runLoad(['music'], { CATALOG_URL: catalog.url });
    const file = join(folder, 'rows.json');
    await runModel('export', file);
    const model = JSON.parse(readFileSync(file, 'utf8')) as {
      DataModel: [{ TableFacets: { FacetName: string; TableData: Row[] }[] }];
      ModelMetadata: { Description: string };
    };
    const [{ TableFacets: facets }] = model.DataModel;
    expect(facets.map(({ FacetName }) => FacetName)).toEqual([
      'types',
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
    await runLoad(['shop'], { CATALOG_URL: catalog.url });
    const file = join(folder, 'unique.json');
    await runModel('export', file);
    const model = JSON.parse(readFileSync(file, 'utf8')) as {
      DataModel: [{ TableFacets: { FacetName: string; TableData: Row[] }[] }];
    };
    const facets = model.DataModel[0].TableFacets;
    const values = facets.find(({ FacetName }) => FacetName === 'unique values of User');
    // In the order of the bulk request.
    const rows = (values?.TableData ?? []) as Record<string, { S: string } | undefined>[];
    const row = rows.find(({ owner }) => owner?.S === 'anna');
    expect(row).toMatchObject({ value: { S: 'anna@example.com' } });
    const stored = { pk: row?.['pk']?.S ?? '', sk: row?.['sk']?.S ?? '' };
    const item = await catalog.table.get(stored, { consistent: true });
    expect(item).toMatchObject({ owner: 'anna' });
  });

  it('imports a facet as a type and keys by their aliases, and lists what it leaves out', async () => {
    const ended = await runModel('import', fixture('clinic'));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.match(/^left out: .*$/gm)).toEqual([
      'left out: Patient.Scan: an attribute of the type B',
      'left out: Patient: row 3, whose key is empty, too long or a duplicate',
      'left out: Patient: the index byNameAndDoctor, since the facet has only one of its keys',
      'left out: Visit p#1/v#2026-03-04.Cost: a value that is not of the type N',
      'left out: Visit: the index byNameAndDoctor, since the facet has only one of its keys',
    ]);
    const patient = await catalog.ask('/v1/entities/Patient/p%231%2Fp%231');
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
    expect((await catalog.ask(found)).body).toMatchObject({
      items: [{ id: 'p#2/v#2026-02-03', values: { Doctor: 'd#7' } }],
    });
    const ofPatient = '/v1/search/Visit/byKey?eq=p%231&prefix=v%232026-03';
    expect((await catalog.ask(ofPatient)).body).toMatchObject({
      items: [{ id: 'p#1/v#2026-03-04' }],
    });
  });

  it('imports tables without facets, and numbers as ids', async () => {
    const ended = await runModel('import', fixture('library'));
    expect(ended.stdout).toContain('left out: Book: the connection to MySQL (DataAccess)');
    expect(await idsOf('/v1/search/Book/byPages?from=200')).toEqual(['978-2']);
    expect(await idsOf('/v1/search/Loan/byKey?eq=7')).toEqual(['7/2026-10-01', '7/2026-11-01']);
  });

  async function idsOf(path: string): Promise<unknown[]> {
    return (await itemsOf(path)).map(({ id }) => id);
  }

  it('imports circular relations and numbers with many digits', async () => {
    await catalog.ask('/v1/types/Person', {
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
    const digits = '12345678901234567890.123';
    for (const id of ['a', 'b']) {
      const body = `{"attributes":{"n":${digits},"tags":["a","b"],"address":{"floor":2},"other":[null]}}`;
      await catalog.ask(`/v1/entities/Person/${id}`, { method: 'PUT', body });
    }
    const knows = { a: ['b'], b: ['a', 'b'] };
    for (const [id, to] of Object.entries(knows)) {
      const body = { relations: { knows: to } };
      await catalog.ask(`/v1/entities/Person/${id}`, { method: 'PATCH', body });
    }
    const before = await contentOf();
    const file = join(folder, 'circle.json');
    await runModel('export', file);
    await catalog.close();
    catalog = await startQuietCatalog();
    expect(await runModel('import', file)).toMatchObject({ code: 0, stderr: '' });
    expect(await contentOf()).toEqual(before);
    await runModel('export', file);
    expect(readFileSync(file, 'utf8').split(`"N": "${digits}"`)).toHaveLength(3);
  });

  it('changes nothing in a dry run', async () => {
    const ended = await runModel('import', fixture('clinic'), '--dry-run');
    expect(ended.stdout).toContain('"name": "Patient"');
    expect(await itemsOf('/v1/types')).toEqual([]);
  });
});

describe('npm run catalog:model exits with one line of explanation', () => {
  it.each([
    [['import', join(folder, 'missing.json')], 'cannot be read'],
    [['import', fileWith('{"DataModel": 1}')], 'is not a model of NoSQL Workbench: ModelName'],
    [['import', fileWith('{')], 'the file is not JSON'],
    [['merge', 'a'], 'give export or import, and a file'],
    [['export', 'a', '--sample', 'all'], "--sample must be a number of entities, not 'all'"],
  ])('after %j', async (args, reason) => {
    const { code, stderr } = await runCommand(args, 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  function fileWith(text: string): string {
    const path = join(folder, `${text.length}.json`);
    writeFileSync(path, text);
    return path;
  }
});
