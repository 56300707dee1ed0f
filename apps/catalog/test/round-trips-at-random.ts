import fc from 'fast-check';

/** Characters that normal forms replace, or that keys escape. */
const text = fc.string({
  unit: fc.constantFrom('a', 'é', 'e\u0301', '\ufa19', '\u212a', '\u0130', '#', '😀', '"'),
  maxLength: 4,
});
const number = fc.oneof(fc.integer(), fc.constantFrom(0.1, -1e100, 5e-120, 123456789.123));
const timeFrom = (min: number) =>
  fc
    .date({ min: new Date(min), max: new Date(253_402_300_799_999), noInvalidDate: true })
    .map((date) => date.getTime());
const name = fc.constantFrom('x', 'é', 'add', 'set', 'constructor');
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, fc.boolean(), fc.integer(), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
}));

export const targets = ['t1', 't2', 't3'];

const link = fc.record({
  id: fc.constantFrom(...targets),
  attributes: fc.record({ role: text, since: timeFrom(0) }, { requiredKeys: [] }),
});

/** Attributes and relations of an entity of the type below. */
export const content = fc.record({
  attributes: fc.record(
    {
      title: text,
      code: text.filter((one) => one !== ''),
      size: number,
      live: fc.boolean(),
      born: timeFrom(-62_167_219_200_000),
      until: timeFrom(32_503_680_000_000),
      tags: fc.array(
        text.filter((one) => one !== ''),
        { maxLength: 3 },
      ),
      sizes: fc.array(number, { maxLength: 3 }),
      options: json.map,
      blocks: json.list,
      other: json.value,
    },
    { requiredKeys: ['title'] },
  ),
  relations: fc.record(
    {
      main: fc.constantFrom(...targets),
      some: fc.subarray(targets, { minLength: 1 }),
      linked: fc.uniqueArray(link, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
});

const attributes = [
  { name: 'title', kind: 'text', required: true },
  { name: 'code', kind: 'text', unique: true },
  { name: 'size', kind: 'number' },
  { name: 'live', kind: 'boolean' },
  { name: 'born', kind: 'instant' },
  { name: 'until', kind: 'instant' },
  { name: 'tags', kind: 'set' },
  { name: 'sizes', kind: 'set', of: 'number' },
  { name: 'options', kind: 'map' },
  { name: 'blocks', kind: 'list' },
  { name: 'madeAt', kind: 'instant', automatic: 'created' },
  { name: 'changedAt', kind: 'instant', automatic: 'updated' },
];

/** A type with all kinds of attributes, relations and indexes. */
export const thing = (target: string) => ({
  attributes,
  relations: [
    { name: 'main', to: target },
    { name: 'some', to: target, many: true },
    {
      name: 'linked',
      to: target,
      many: true,
      attributes: [
        { name: 'role', kind: 'text' },
        { name: 'since', kind: 'instant' },
      ],
    },
  ],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] },
    { name: 'byTag', parts: [{ attribute: 'tags' }, { attribute: 'madeAt' }] },
    { name: 'byMain', parts: [{ relation: 'main' }, { attribute: 'born' }] },
  ],
  rankings: [
    { name: 'bySize', attribute: 'size' },
    { name: 'byBirth', attribute: 'born', within: 'main' },
  ],
  fullText: ['title', 'tags'],
  filters: [{ attribute: 'size' }, { relation: 'main' }],
  expires: { attribute: 'until' },
  additional: true,
});
