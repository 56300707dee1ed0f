import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBeforeAll } from '@engawa/testing';
import { answersTo, loadHere, modelNames, readModel, startQuietCatalog } from './models.ts';

it('every model is tested', () => {
  const files = readdirSync(join(__dirname, '../models')).toSorted();
  expect(files).toEqual(modelNames.map((name) => `${name}.json`));
});

/** All models in one catalog, which no test changes. */
const catalog = openBeforeAll(startQuietCatalog);
beforeAll(async () => {
  for (const name of modelNames) await loadHere([name], { CATALOG_URL: catalog.url });
});

describe.each(modelNames)('the model %s', (name) => {
  const model = readModel(name);

  it.each(model.questions)('answers “$ask” with $requests request(s)', async (question) => {
    let answers: unknown[] = [];
    const cost = await catalog.costOf(async () => {
      answers = await answersTo(catalog, question);
    });
    const answer = answers.at(-1) as { items: unknown[] };
    expect(answer).toMatchObject(question.expect);
    expect(answer.items).toHaveLength((question.expect as typeof answer).items.length);
    expect(cost).not.toHaveProperty('Scan');
    expect(Object.values(cost).reduce((sum, count) => sum + count, 0)).toBe(question.requests);
  });

  it('returns every entity as it was given', async () => {
    for (const { type, id, attributes, relations = {} } of model.entities) {
      const path = `/v1/entities/${type}/${encodeURIComponent(id)}`;
      const { body } = await catalog.ask(path);
      expect(body).toMatchObject({ type, id, attributes, relations });
    }
  });
});

interface Music {
  artists: { id: string }[];
  albums: { id: string; artistId: string }[];
  songs: { id: string; artistId: string; albumId: string }[];
  queries: { ask: string; songs?: string[]; albums?: string[]; artists?: string[] }[];
}

describe('the model music', () => {
  const fixture = join(__dirname, 'fixtures/music.json');
  const music = JSON.parse(readFileSync(fixture, 'utf8')) as Music;
  const model = readModel('music');

  it('has exactly the data of its source', () => {
    expect(model.entities).toEqual([
      ...music.artists.map(({ id, ...attributes }) => ({ type: 'Artist', id, attributes })),
      ...music.albums.map(({ id, artistId: artist, ...attributes }) => {
        return { type: 'Album', id, attributes, relations: { artist } };
      }),
      ...music.songs.map(({ id, artistId: artist, albumId: album, ...attributes }) => {
        return { type: 'Song', id, attributes, relations: { artist, album } };
      }),
    ]);
  });

  it('answers all queries of its source, in any order', async () => {
    expect(model.questions.map(({ ask }) => ask)).toEqual(music.queries.map(({ ask }) => ask));
    for (const [index, question] of model.questions.entries()) {
      const { songs, albums, artists } = music.queries[index] ?? {};
      const answers = await answersTo(catalog, question);
      const { items } = answers.at(-1) as { items: { id: string }[] };
      const wanted = songs ?? albums ?? artists;
      expect(items.map(({ id }) => id).toSorted()).toEqual(wanted?.toSorted());
    }
  });
});
