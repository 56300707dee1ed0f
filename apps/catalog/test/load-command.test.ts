import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { freePort, openBeforeAll, TokenIssuer } from '@engawa/testing';
import { loadHere, readModel, runLoad, startQuietCatalog } from './models.ts';

const folder = mkdtempSync(join(tmpdir(), 'engawa-load-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: unknown): string {
  const path = join(folder, 'model.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const nothing = { description: 'Mine', types: [], entities: [], questions: [] };

describe('npm run catalog:load', () => {
  const catalog = openBeforeAll(startQuietCatalog);

  const load = (...args: string[]) => loadHere(args, { CATALOG_URL: catalog.url });

  it('loads a model and prints working curl commands; a second run changes nothing', async () => {
    const first = await runLoad(['music'], { CATALOG_URL: catalog.url });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('entities: 21 created, 0 existing, of 21');
    for (const { ask } of readModel('music').questions) expect(first.stdout).toContain(`# ${ask}`);
    const urls = [...first.stdout.matchAll(/^curl '(.*)'$/gm)].map(([, url = '']) => url);
    expect(urls).toHaveLength(8);
    for (const url of urls) {
      const answer = await fetch(url);
      expect([url, answer.status]).toEqual([url, 200]);
      expect(((await answer.json()) as { items: unknown[] }).items).not.toEqual([]);
    }
    const second = await load('music');
    expect(second).toContain('entities: 0 created, 21 existing, of 21');
    const { body } = await catalog.ask('/v1/types/Song');
    expect(body).toMatchObject({ version: 1 });
  });

  it('loads a model by the path of its file', async () => {
    const types = [{ name: 'Shelf', attributes: [{ name: 'width', kind: 'number' }] }];
    const path = fileOf(
      `{"description":"Mine","types":${JSON.stringify(types)},"entities":[{"type":"Shelf","id":"left","attributes":{"width":1.00000000000000000001}}]}`,
    );
    expect(await load(path)).toContain('entities: 1 created, 0 existing, of 1');
    const text = await (await fetch(`${catalog.url}/v1/entities/Shelf/left`)).text();
    expect(text).toContain('"width":1.00000000000000000001');
  });

  it('reports an error in one line', async () => {
    const { code, stderr } = await runLoad(['jazz'], { CATALOG_URL: catalog.url });
    expect(code).toBe(1);
    expect(stderr).toBe(
      'catalog:load: there is no model "jazz"; there are game, music, organisation, shop\n',
    );
  });

  it.each<[string, () => string[], RegExp]>([
    ['no model', () => [], /^name one model/],
    ['a file that there is not', () => ['./no.json'], /^\.\/no\.json cannot be read/],
    ['a file that is not JSON', () => [fileOf('{"a":')], /is not JSON: /],
    ['a file that is no model', () => [fileOf({ types: [] })], /is not a valid model: description/],
    [
      'an entity that would be another one each time',
      () => [fileOf({ ...nothing, entities: [{ type: 'Artist' }] })],
      /is not a valid model: entities\[0\]\.id/,
    ],
    ['an unknown option', () => ['--fast'], /^Unknown option '--fast'/],
    [
      'a contradictory type',
      () => {
        const types = [{ name: 'Odd', rankings: [{ name: 'best', attribute: 'score' }] }];
        return [fileOf({ ...nothing, types })];
      },
      /^PUT \/v1\/types\/Odd: 400 The request is not valid: .*rankings/,
    ],
    [
      'a refused entity',
      () => [fileOf({ ...nothing, entities: [{ type: 'Nobody', id: 'x' }] })],
      /^1 entities were rejected; the first is number 1: .*Nobody/,
    ],
  ])('refuses %s, in one line', async (_, args, said) => {
    await expectRefusal(load(...args()), said);
  });
});

it('npm run catalog:load reports the URL if no catalog responds', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const said = `the catalog at ${url} does not respond (`;
  await expectRefusal(loadHere(['music'], { CATALOG_URL: url }), said);
});

/** The command prints the message of an OperatorError, and the stack of any other error. */
async function expectRefusal(load: Promise<unknown>, said: string | RegExp): Promise<void> {
  const error = await load.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperatorError);
  const { message } = error as OperatorError;
  expect(message).toMatch(said);
  expect(message).not.toContain('\n');
}

it.each([
  [{ CATALOG_URL: 'nowhere' }, "CATALOG_URL must be an http address, not 'nowhere'"],
  [{ CATALOG_URL: 'http://me:secret@localhost' }, 'CATALOG_URL must have no user and password'],
  [{ CATALOG_TOKEN: 'a secret' }, 'CATALOG_TOKEN is not valid (it is a secret and not shown)'],
])('npm run catalog:load refuses %j, without printing the secret', async (environment, said) => {
  const { code, stdout, stderr } = await runLoad(['music'], environment);
  expect(code).toBe(1);
  expect(stderr).toContain(said);
  expect(stdout + stderr).not.toMatch(/:secret|a secret[^ ]/);
});

it('npm run catalog:load sends the token, and never prints it', async () => {
  const issuer = await TokenIssuer.start();
  const guarded = await startQuietCatalog(issuer.environment);
  const without = await runLoad(['organisation'], { CATALOG_URL: guarded.url });
  expect(without.stderr).toMatch(/^catalog:load: PUT \/v1\/types\/Team: 401 /);
  const token = await issuer.token({ scope: 'catalog:admin' });
  const environment = { CATALOG_URL: guarded.url, CATALOG_TOKEN: token };
  const { code, stdout, stderr } = await runLoad(['organisation'], environment);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('curl -H "Authorization: Bearer $CATALOG_TOKEN" \'http');
  expect(stdout + stderr).not.toContain(token);
  await guarded.close();
  await issuer.close();
});
