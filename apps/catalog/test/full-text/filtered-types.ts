export const attributes = [
  { name: 'title', kind: 'text' },
  { name: 'note', kind: 'text' },
  { name: 'genre', kind: 'text' },
  { name: 'released', kind: 'number' },
  { name: 'plays', kind: 'number' },
  { name: 'changedAt', kind: 'instant', automatic: 'updated' },
];
export const song = {
  attributes,
  rankings: [{ name: 'byPlays', attribute: 'plays' }],
  fullText: ['title', 'note'],
  filters: [
    { attribute: 'genre', as: 'collated' },
    { attribute: 'released' },
    { attribute: 'plays' },
  ],
};
/** Without texts. */
export const record = { attributes, filters: [{ attribute: 'released' }] };
