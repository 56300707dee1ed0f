import { Readable } from 'node:stream';
import { openBeforeAll } from '@engawa/testing';
import { startQuietCatalog } from './models.ts';
import type { TestResponse } from './catalog.ts';

const ndjson = 'application/x-ndjson';

interface ReportResponse {
  entities: { created: number; existing: number };
  failed: number;
  errors: { line: number; message: string }[];
}

const types = {
  Artist: { attributes: [{ name: 'name', kind: 'text', required: true }] },
  Song: {
    attributes: [
      { name: 'title', kind: 'text', required: true },
      { name: 'seconds', kind: 'number' },
    ],
    relations: [
      { name: 'artist', to: 'Artist' },
      { name: 'covers', to: 'Song', many: true },
    ],
    searches: [{ name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] }],
  },
};

const catalog = openBeforeAll(startQuietCatalog);
beforeAll(async () => {
  for (const [name, body] of Object.entries(types)) {
    await catalog.ask(`/v1/types/${name}`, { method: 'PUT', body });
  }
});

function post(body: unknown, type = 'application/json'): Promise<TestResponse> {
  return catalog.ask('/v1/entities', { method: 'POST', headers: { 'content-type': type }, body });
}

async function report(...lines: (object | string)[]): Promise<ReportResponse> {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const answer = await post(texts.join('\n'), ndjson);
  expect(answer.status).toBe(200);
  return answer.body as ReportResponse;
}

const artist = (id: string, name = id) => ({ type: 'Artist', id, attributes: { name } });
const song = (id: string, relations: object, title = id) => {
  return { type: 'Song', id, attributes: { title }, relations };
};

describe('POST /v1/entities', () => {
  it('creates entities without ids once per Idempotency-Key', async () => {
    const send = (key: string, name: string) =>
      catalog.ask('/v1/entities', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: [
          { type: 'Artist', attributes: { name } },
          { type: 'Artist', attributes: { name } },
        ],
      });
    const counts = async (answer: Promise<TestResponse>) =>
      ((await answer).body as ReportResponse).entities;
    expect(await counts(send('first', 'Ann'))).toEqual({ created: 2, existing: 0 });
    expect(await counts(send('first', 'Ann'))).toEqual({ created: 0, existing: 2 });
    expect(await counts(send('second', 'Ann'))).toEqual({ created: 2, existing: 0 });
    expect(await counts(send('first', 'Bob'))).toEqual({ created: 2, existing: 0 });
    expect((await send('with space', 'Ann')).status).toBe(400);
  });

  it('creates missing entities and keeps existing ones, with one request each', async () => {
    const cost = await catalog.costOf(async () => {
      expect(await report(artist('a'), '', artist('b'))).toEqual({
        entities: { created: 2, existing: 0 },
        failed: 0,
        errors: [],
      });
    });
    expect(Object.values(cost).reduce((sum, count) => sum + count, 0)).toBe(2);
    const again = await report(artist('a', 'Other'), artist('c'), artist('c', 'Again'));
    expect(again.entities).toEqual({ created: 1, existing: 2 });
    expect((await catalog.ask('/v1/entities/Artist/a')).body).toMatchObject({
      attributes: { name: 'a' },
      version: 1,
    });
    expect((await catalog.ask('/v1/entities/Artist/c')).body).toMatchObject({
      attributes: { name: 'c' },
    });
  });

  it('accepts a single entity or an array', async () => {
    expect((await post(artist('single'))).body).toMatchObject({ entities: { created: 1 } });
    expect((await post([artist('x1'), 7, artist('x2')])).body).toMatchObject({
      entities: { created: 2 },
      failed: 1,
      errors: [{ line: 2 }],
    });
  });

  it('generates missing ids in the order of the body', async () => {
    await catalog.ask('/v1/types/Note', {
      method: 'PUT',
      body: { attributes: [{ name: 'text', kind: 'text' }] },
    });
    const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    const entities = texts.map((text) => ({ type: 'Note', attributes: { text } }));
    expect((await report(...entities)).entities.created).toBe(100);
    const { body } = await catalog.ask('/v1/entities/Note?limit=1000');
    const { items } = body as { items: { id: string; attributes: { text: string } }[] };
    expect(items.map(({ attributes }) => attributes.text)).toEqual(texts);
    expect(items[0]?.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('stores all digits of a number', async () => {
    const digits = '1234567890.12345678901234567';
    await report(`{"type":"Song","id":"long","attributes":{"title":"x","seconds":${digits}}}`);
    const answer = await fetch(`${catalog.url}/v1/entities/Song/long`);
    expect(await answer.text()).toContain(`"seconds":${digits}`);
  });

  it('writes in order if each entity relates to the previous one', async () => {
    const chain = Array.from({ length: 60 }, (_, index) =>
      song(`chain ${index}`, index === 0 ? {} : { covers: [`chain ${index - 1}`] }),
    );
    expect(await report(...chain)).toMatchObject({ entities: { created: 60 }, failed: 0 });
  });

  it('stores a relation to an entity later in the body, also in a cycle', async () => {
    const answer = await report(song('egg', { covers: ['hen'] }), song('hen', { covers: ['egg'] }));
    expect(answer).toMatchObject({ entities: { created: 2 }, failed: 0 });
  });

  it('reports the errors of each invalid line, and writes the others', async () => {
    const { entities, failed, errors } = await report(
      artist('good 1'),
      '{"type":',
      { type: 'Nobody', id: 'x' },
      { id: 'no type' },
      { type: 'Artist', id: '..', attributes: { name: 'x' } },
      { type: 'Artist', id: 'no name' },
      { type: 'Artist', id: 'x', attributes: { name: 7 } },
      { type: 'Artist', id: 'x', attributes: { name: 'x', age: 7 } },
      song('x', { artist: 'nobody' }),
      song('x', { artist: ['good 1'] }),
      { ...artist('x'), etag: 7 },
      '{"type":"Artist","id":"x","attributes":{"name":"x","__proto__":"y"}}',
      '{"type":"Song","id":"x","attributes":{"title":"x","seconds":1e400}}',
      artist('good 2'),
    );
    expect(entities).toEqual({ created: 2, existing: 0 });
    expect(errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(failed).toBe(errors.length);
    const words = ['JSON', 'Nobody', 'type', 'id', 'name', 'name', 'age', 'nobody', 'artist'];
    for (const [index, word] of words.entries()) expect(errors[index]?.message).toContain(word);
    expect((await catalog.ask('/v1/entities/Artist/x')).status).toBe(404);
    expect((await catalog.ask('/v1/entities/Song/x')).status).toBe(404);
  });

  it.each([
    ['invalid JSON', '{"type":', 'application/json', 400],
    ['JSON that exceeds the body limit', `[${'1,'.repeat(500_000)}1]`, 'application/json', 413],
    ['another media type', 'a', 'text/plain', 415],
  ])('refuses %s', async (_, body, type, status) => {
    expect(await post(body, type)).toMatchObject({ status });
  });
});

it('many entities are streamed in, and streamed back unchanged', async () => {
  const sent = new Map<string, object>();
  // Several batches of writes, and several pages of the list.
  const [artists, tracks] = [50, 400];
  function* lines() {
    for (let number = 0; number < artists; number++) yield artist(`band ${number}`);
    for (let number = 0; number < tracks; number++) {
      const entity = song(
        `track ${number}`,
        { artist: `band ${number % artists}` },
        `曲 ${number}`,
      );
      sent.set(entity.id, entity);
      yield entity;
    }
  }
  const body = Readable.from(lines()).map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
  const answer = await fetch(`${catalog.url}/v1/entities`, {
    method: 'POST',
    headers: { 'content-type': ndjson },
    body,
    duplex: 'half',
  });
  expect(await answer.json()).toEqual({
    entities: { created: tracks + artists, existing: 0 },
    failed: 0,
    errors: [],
  });
  const given = await catalog.ask('/v1/entities/Song', { headers: { accept: ndjson } });
  const back = (given.body as { id: string }[]).filter(({ id }) => id.startsWith('track'));
  expect(back).toHaveLength(tracks);
  for (const entity of back) expect(entity).toMatchObject(sent.get(entity.id) ?? {});
});
