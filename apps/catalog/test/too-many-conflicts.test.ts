import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityKey, entityTypeKey } from '@engawa/keys';
import { maxConflictAttempts } from '@engawa/table';
import { openBeforeAll, startOvertakingProxy } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { artist, declare, makeNamed, pathOf, put, quiet } from './entities.ts';
import { runLoad } from './models.ts';
import { startTable } from './table.ts';
import { putType } from './types.ts';
import type { TestResponse } from './catalog.ts';

const lost = (resource: string) => ({
  type: '/problems/too-many-conflicts',
  status: 409,
  detail: `Other clients changed ${resource} before each attempt of this request.`,
});

describe('a write that loses to writes of other replicas each time', () => {
  const started = openBeforeAll(startTable);
  const proxy = openBeforeAll(() => startOvertakingProxy(started.location.endpoint));
  const catalog = openBeforeAll(() =>
    catalogOn(started, { ...quiet, ...proxy.environment, TYPE_SETTLE_MS: '0' }),
  );

  beforeAll(async () => {
    await declare(catalog, { Artist: artist, Label: { attributes: [] } });
    await makeNamed(catalog, 'Artist', ['ann', 'bob', 'cem']);
  });
  afterEach(() => (proxy.overtake = undefined));

  const artistKey = (id: string) => entityKey({ type: 'Artist', id });

  /** Another replica writes an artist before each write of this one that names it. */
  function overtakeArtists(...ids: readonly string[]): void {
    proxy.overtake = async ({ body }) => {
      for (const id of ids) {
        if (!body.includes(`${id}"`)) continue;
        await started.table.update(artistKey(id), { set: { writeId: randomUUID() } });
      }
    };
  }

  /** Another replica writes a type before each write of this one that names it, this many times. */
  function overtakeType(name: string, times: number): void {
    let left = times;
    proxy.overtake = async ({ body }) => {
      if (!body.includes(`TYPE#${name}"`) || left-- <= 0) return;
      await started.table.update(entityTypeKey(name), { add: { version: 1 } });
    };
  }

  const rename = (id: string, headers = {}): Promise<TestResponse> => {
    const body = { attributes: { name: 'renamed' } };
    return catalog.ask(pathOf('Artist', id), { method: 'PATCH', body, headers });
  };

  it('is answered 409 with Retry-After, changes nothing, and succeeds later', async () => {
    overtakeArtists('ann', 'bob', 'cem');
    const operations = ['bob', 'cem'].map((id) => {
      return { operation: 'patch', type: 'Artist', id, attributes: { name: 'renamed' } };
    });
    const transact = () =>
      catalog.ask('/v1/transactions', { method: 'POST', body: { operations } });
    const answers = await Promise.all([rename('ann'), transact()]);
    for (const { status, headers } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([409, '1']);
    }
    expect(answers[0].body).toMatchObject(lost('Artist "ann"'));
    expect(answers[1].body).toMatchObject(lost('Artist "bob" or Artist "cem"'));
    proxy.overtake = undefined;
    const { body } = await catalog.ask(pathOf('Artist', 'ann'));
    expect(body).toMatchObject({ attributes: { name: 'ann' }, version: 1 });
    expect(await rename('ann')).toMatchObject({ status: 200 });
    expect(await transact()).toMatchObject({ status: 200 });
  });

  it('fails a bulk request as a whole, so that clients send it again', async () => {
    overtakeArtists('bob');
    const entries = ['bob', 'dan'].map((id) => {
      return { type: 'Artist', id, attributes: { name: `${id} by bulk` } };
    });
    const send = () =>
      catalog.ask('/v1/entities?existing=replace', { method: 'POST', body: entries });
    expect(await send()).toMatchObject({ status: 409, body: lost('Artist "bob"') });
    proxy.overtake = undefined;
    expect(await send()).toMatchObject({
      status: 200,
      body: { failed: 0, entities: { replaced: 1 } },
    });
  });

  it('is answered 409 for a type as well, and is no problem for a few conflicts', async () => {
    const attributes = [{ name: 'city', kind: 'text' }];
    overtakeType('Label', Infinity);
    const answer = await putType(catalog, 'Label', { attributes });
    expect(answer).toMatchObject({ status: 409, body: lost('the type "Label"') });
    expect(answer.headers.get('retry-after')).toBe('1');
    overtakeType('Label', maxConflictAttempts - 1);
    expect(await putType(catalog, 'Label', { attributes })).toMatchObject({ status: 200 });
    expect(await put(catalog, ['Label', 'l'], { attributes: { city: 'Oslo' } })).toMatchObject({
      status: 201,
    });
  });

  it('is retried by npm run catalog:load', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-conflict-'));
    const file = join(folder, 'model.json');
    const types = [{ name: 'Venue', attributes: [{ name: 'street', kind: 'text' }] }];
    const model = { description: 'Venues', types, entities: [], questions: [] };
    writeFileSync(file, JSON.stringify(model));
    await declare(catalog, { Venue: { attributes: [] } });
    try {
      overtakeType('Venue', maxConflictAttempts + 3);
      const loaded = await runLoad([file], { CATALOG_URL: catalog.api });
      expect(loaded).toMatchObject({ code: 0, stderr: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
