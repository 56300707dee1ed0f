import { declareType } from '../src/index.ts';

/** Declarations that type tests and the others share. */
export const Artist = declareType({
  name: 'Artist',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'careerStart', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
});

export const Song = declareType({
  name: 'Song',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'released', kind: 'number' },
    { name: 'live', kind: 'boolean' },
    { name: 'heardAt', kind: 'instant' },
    { name: 'changedAt', kind: 'instant', automatic: 'updated' },
  ],
  relations: [
    { name: 'artist', to: 'Artist' },
    { name: 'featuring', to: 'Artist', many: true },
  ],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] },
    { name: 'byArtistAndYear', parts: [{ relation: 'artist' }, { attribute: 'released' }] },
    { name: 'byHearing', parts: [{ attribute: 'heardAt' }] },
  ],
  rankings: [{ name: 'newest', attribute: 'released' }],
  fullText: ['title'],
});
