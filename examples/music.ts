// The four music queries, with types: `npm run catalog:load music` loads the songs, then
//   node examples/music.ts [artist] [genre] [year] [title]
// An undeclared name is a compile error.
import { createClient, declareType, ProblemError } from '@engawa/client';

const Artist = declareType({
  name: 'Artist',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'careerStart', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
  fullText: ['name'],
});

const Album = declareType({
  name: 'Album',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'genre', kind: 'text' },
    { name: 'studio', kind: 'text' },
  ],
  relations: [{ name: 'artist', to: 'Artist' }],
  searches: [{ name: 'byGenre', parts: [{ attribute: 'genre', as: 'collated' }] }],
  fullText: ['title'],
});

const Song = declareType({
  name: 'Song',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'released', kind: 'number' },
  ],
  relations: [
    { name: 'artist', to: 'Artist' },
    { name: 'album', to: 'Album' },
  ],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] },
    { name: 'byArtistAndYear', parts: [{ relation: 'artist' }, { attribute: 'released' }] },
  ],
  fullText: ['title'],
});

const { CATALOG_URL: url = 'http://127.0.0.1:4004', CATALOG_TOKEN: token } = process.env;
const client = createClient({ url, token });
const [name = 'Steely Dan', genre = 'Rock', year = '1972', title = 'Heroes'] =
  process.argv.slice(2);

const artists = client.entities(Artist);
const albums = client.entities(Album);
const songs = client.entities(Song);

const print = (label: string, value: string | number | undefined) =>
  process.stdout.write(`${label}\t${value ?? ''}\n`);

try {
  for await (const { id } of artists.search('byName', { eq: [name] })) {
    const all = artists.related(id, Song, { whole: true, fields: ['title'] });
    for await (const { entity } of all) print('of the artist', entity.attributes.title);
    print('songs of the artist', (await all.page({ total: true })).total);
    const inYear = songs.search('byArtistAndYear', { eq: [id, Number(year)], whole: true });
    for await (const { attributes } of inYear) print(`in ${year}`, attributes.title);
  }
  for await (const { attributes } of albums.search('byGenre', { eq: [genre], whole: true })) {
    print(genre, attributes.title);
  }
  for await (const { relations } of songs.search('byTitle', { eq: [title], whole: true })) {
    const artist = relations.artist === undefined ? undefined : await artists.get(relations.artist);
    print(title, artist?.attributes.name);
  }
} catch (error) {
  if (!(error instanceof ProblemError) || error.type !== 'type-not-found') throw error;
  process.stderr.write(`${url} has no songs: run npm run catalog:load music\n`);
  process.exitCode = 1;
}
