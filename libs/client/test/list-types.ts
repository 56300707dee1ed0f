/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unused-vars
   -- only the types are checked */
/** Checked by the compiler only, like types.ts: text searches, rankings, and keys of declarations. */
import { declareType } from '../src/index.ts';
import { Artist, Song } from './music.ts';
import type { Client } from '../src/index.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_True extends true>(): void => undefined;

const Score = declareType({
  name: 'Score',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'points', kind: 'number' },
    { name: 'wonAt', kind: 'instant' },
    { name: 'fair', kind: 'boolean' },
    { name: 'levels', kind: 'set', of: 'number' },
  ],
  relations: [{ name: 'game', to: 'Game' }],
  rankings: [
    { name: 'best', attribute: 'points' },
    { name: 'bestOfGame', attribute: 'points', within: 'game' },
    { name: 'bestOfDay', attribute: 'points', period: { attribute: 'wonAt', length: 'P1D' } },
    {
      name: 'bestOfWeek',
      attribute: 'points',
      within: 'game',
      period: { attribute: 'wonAt', length: 'P1W' },
    },
  ],
  filters: [
    { attribute: 'title', as: 'collated' },
    { attribute: 'points' },
    { attribute: 'wonAt' },
    { attribute: 'fair' },
    { attribute: 'levels' },
    { relation: 'game' },
  ],
  fullText: ['title'],
});

export async function checkTextSearch(client: Client): Promise<void> {
  const scores = client.entities(Score);
  const filters = {
    points: { atLeast: 10n, below: 20 },
    wonAt: { above: new Date(0) },
    fair: { equals: true },
    levels: { oneOf: [1, 2] },
    game: { exists: true },
  } as const;
  const found = scores.searchTexts({
    ...{ q: 'final', filters, orderBy: 'points', order: 'descending', whole: true },
    facets: ['levels', 'game'],
  });
  for await (const { type, entity } of found) {
    holds<Equal<typeof type, 'Score'>>();
    holds<Equal<(typeof entity)['attributes']['title'], string>>();
  }
  const { facets, total, asOf } = await found.page({ total: true });
  holds<Equal<typeof total, number>>();
  holds<Equal<typeof asOf, string>>();
  for (const facet of facets) {
    if (facet.name === 'levels') {
      holds<Equal<(typeof facet.values)[number]['value'], number>>();
    } else {
      holds<Equal<(typeof facet.values)[number]['value'], string>>();
    }
  }
  const plain = await scores.searchTexts({ filters: { fair: { equals: false } } }).page();
  // @ts-expect-error -- no facets were requested
  holds<Equal<typeof plain.facets, unknown>>();
  // @ts-expect-error -- the entity was not requested
  holds<Equal<(typeof plain.items)[number]['entity'], unknown>>();
}

export function checkRefusedTextSearch(client: Client): void {
  const scores = client.entities(Score);
  // @ts-expect-error -- there is no such filter
  scores.searchTexts({ filters: { pionts: { atLeast: 1 } } });
  // @ts-expect-error -- there is no such condition
  scores.searchTexts({ filters: { points: { atleast: 1 } } });
  // @ts-expect-error -- it is a number, not a text
  scores.searchTexts({ filters: { points: { atLeast: '1' } } });
  // @ts-expect-error -- the members are numbers
  scores.searchTexts({ filters: { levels: { oneOf: ['1'] } } });
  // @ts-expect-error -- there is no such filter
  scores.searchTexts({ orderBy: 'id' });
  // @ts-expect-error -- an order of no values
  scores.searchTexts({ q: 'final', order: 'descending' });
  // @ts-expect-error -- there is no such filter
  scores.searchTexts({ facets: ['year'] });
  // @ts-expect-error -- this list has no such parameter
  scores.searchTexts({ q: 'final', prefix: 'fin' });
  const songs = client.entities(Song);
  // @ts-expect-error -- this attribute is not declared
  songs.searchTexts({ q: 'a', include: { artist: { type: Artist, fields: ['nmae'] } } });
  // @ts-expect-error -- a type without filters cannot be listed without words
  client.entities(Artist).searchTexts({});
}

export function checkRankings(client: Client): void {
  const scores = client.entities(Score);
  scores.ranking('best', { limit: 3 });
  scores.ranking('bestOfGame', { within: 'go', fields: ['points'], whole: true });
  // @ts-expect-error -- each game has its own ranking
  scores.ranking('bestOfGame');
  // @ts-expect-error -- each game has its own ranking
  scores.ranking('bestOfGame', { limit: 3 });
  // @ts-expect-error -- this ranking is of all scores
  scores.ranking('best', { within: 'go' });
  // @ts-expect-error -- the ranking is that of the game of the score
  void scores.rank('bestOfGame', '1', { within: 'go' });
}

export async function checkPeriods(client: Client): Promise<void> {
  const scores = client.entities(Score);
  const { period } = await scores.ranking('bestOfDay').page();
  holds<Equal<typeof period, string>>();
  const week = await scores.ranking('bestOfWeek', { within: 'go', period: 'now-1w' }).page();
  holds<Equal<typeof week.period, string>>();
  // @ts-expect-error -- each game has its own ranking
  scores.ranking('bestOfWeek', { period: '2026-W48' });
  // @ts-expect-error -- this ranking has no periods
  scores.ranking('best', { period: '2026-W48' });
  // @ts-expect-error -- this ranking has no periods
  scores.ranking('bestOfGame', { within: 'go', period: '2026-W48' });
  const all = await scores.ranking('best').page();
  // @ts-expect-error -- this ranking has no periods
  holds<Equal<typeof all.period, unknown>>();
}

export async function checkInclude(client: Client): Promise<void> {
  const songs = client.entities(Song);
  const include = { artist: { type: Artist, fields: ['name', 'careerStart'] } } as const;
  for await (const { included, attributes } of songs.list({ include, fields: ['title'] })) {
    holds<Equal<typeof attributes, { title: string }>>();
    const { artist } = included;
    if (artist?.missing !== undefined) {
      holds<Equal<typeof artist.missing, 'not-found' | 'expired' | 'too-large'>>();
    } else {
      type Shown = { name: string; careerStart?: number } | undefined;
      const shown = artist?.attributes;
      holds<Equal<typeof shown, Shown>>();
    }
  }
  const [found] = (await songs.search('byTitle', { whole: true, include }).page()).items;
  holds<Equal<NonNullable<NonNullable<typeof found>['included']['artist']>['id'], string>>();
  const [ranked] = (await songs.ranking('newest', { whole: true, include }).page()).items;
  ranked?.entity?.included.artist?.attributes?.name.toUpperCase();
  const related = client.entities(Artist).related('1', Song, { whole: true, include });
  for await (const { entity } of related) entity.included.artist?.attributes?.name.toUpperCase();
  for await (const song of songs.list()) {
    // @ts-expect-error -- nothing was included
    holds<Equal<typeof song.included, unknown>>();
  }
}

export function checkRefusedInclude(client: Client): void {
  const songs = client.entities(Song);
  // @ts-expect-error -- there is no such attribute
  songs.list({ include: { artist: { type: Artist, fields: ['nmae'] } } });
  // @ts-expect-error -- the relation is to an artist
  songs.list({ include: { artist: { type: Song, fields: ['title'] } } });
  // @ts-expect-error -- the relation is to many
  songs.list({ include: { featuring: { type: Artist, fields: ['name'] } } });
  const artist = { type: Artist, fields: ['name'] } as const;
  // @ts-expect-error -- there is no such relation
  songs.search('byTitle', { whole: true, include: { artist, band: artist } });
}

const attributes = [
  { name: 'title', kind: 'text' },
  { name: 'points', kind: 'number' },
  { name: 'parts', kind: 'map' },
] as const;
const relations = [{ name: 'games', to: 'Game', many: true }] as const;

// @ts-expect-error -- a text has no rank
declareType({ name: 'A', attributes, rankings: [{ name: 'best', attribute: 'title' }] });
declareType({
  ...{ name: 'A', attributes, relations },
  // @ts-expect-error -- a ranking is within a relation to one
  rankings: [{ name: 'best', attribute: 'points', within: 'games' }],
});
declareType({
  ...{ name: 'A', attributes },
  // @ts-expect-error -- a number is in no period
  rankings: [{ name: 'best', attribute: 'points', period: { attribute: 'points', length: 'P1W' } }],
});
declareType({
  ...{ name: 'A', attributes: [...attributes, { name: 'at', kind: 'instant' }] },
  // @ts-expect-error -- there are no periods of two weeks
  rankings: [{ name: 'best', attribute: 'points', period: { attribute: 'at', length: 'P2W' } }],
});
// @ts-expect-error -- a map has no order
declareType({ name: 'A', attributes, filters: [{ attribute: 'parts' }] });
// @ts-expect-error -- a relation to many is no filter
declareType({ name: 'A', attributes, relations, filters: [{ relation: 'games' }] });
// @ts-expect-error -- a number has no words
declareType({ name: 'A', attributes, fullText: ['points'] });
// @ts-expect-error -- a misspelt key would be ignored
declareType({ name: 'A', attributes, rankigns: [{ name: 'best', attribute: 'points' }] });
// @ts-expect-error -- a misspelt key would be ignored
declareType({ name: 'A', attributes: [{ name: 'title', kind: 'text', requird: true }] });
// @ts-expect-error -- a misspelt key would be ignored
declareType({ name: 'A', attributes, filters: [{ attribute: 'title', at: 'collated' }] });
