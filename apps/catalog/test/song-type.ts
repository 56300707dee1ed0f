/** A type with each kind of property. */
export const song = {
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'year', kind: 'number' },
    { name: 'madeAt', kind: 'instant', automatic: 'created' },
  ],
  relations: [{ name: 'artist', to: 'Artist' }],
  searches: [
    {
      name: 'byArtistAndYear',
      parts: [{ relation: 'artist' }, { attribute: 'year' }],
    },
  ],
  rankings: [{ name: 'newest', attribute: 'year' }],
  fullText: ['title'],
};

/** The type in responses, with default values, except its name. */
export const shownSong = {
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'year', kind: 'number', required: false },
    { name: 'madeAt', kind: 'instant', required: false, automatic: 'created' },
  ],
  relations: [{ name: 'artist', to: 'Artist', many: false }],
  searches: [
    {
      name: 'byArtistAndYear',
      parts: [{ relation: 'artist' }, { attribute: 'year', as: 'number' }],
      state: 'ready',
    },
  ],
  rankings: [{ name: 'newest', attribute: 'year', direction: 'descending', state: 'ready' }],
  fullText: ['title'],
  version: 1,
};
