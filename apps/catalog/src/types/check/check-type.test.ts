import { Problem } from '@engawa/errors';
import { checkType } from './check-type.ts';
import { typeBody } from './type-schemas.ts';
import type { z } from 'zod';

type TypeInput = z.input<typeof typeBody>;

const attributes: TypeInput['attributes'] = [
  { name: 'name', kind: 'text', required: true },
  { name: 'score', kind: 'number' },
  { name: 'seen', kind: 'instant' },
  { name: 'free', kind: 'boolean' },
];
const relations: TypeInput['relations'] = [
  { name: 'artist', to: 'Artist' },
  { name: 'featuring', to: 'Artist', many: true },
];

const check = (body: TypeInput) => checkType(typeBody.parse(body));

function fieldErrorsOf(body: TypeInput) {
  try {
    check({ attributes, relations, ...body });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('invalid-request');
    return error.fieldErrors.map(({ path, message }) => `${path} ${message}`);
  }
}

describe('the definition of a type', () => {
  it('gets defaults for omitted properties', () => {
    const parts = [
      { attribute: 'name' },
      { attribute: 'score' },
      { attribute: 'seen' },
      { relation: 'artist' },
    ];
    const rankings = [{ name: 'top', attribute: 'score' }];
    expect(check({ attributes, relations, searches: [{ name: 'all', parts }], rankings })).toEqual({
      attributes: [
        { name: 'name', kind: 'text', required: true },
        { name: 'score', kind: 'number', required: false },
        { name: 'seen', kind: 'instant', required: false },
        { name: 'free', kind: 'boolean', required: false },
      ],
      relations: [
        { name: 'artist', to: 'Artist', many: false },
        { name: 'featuring', to: 'Artist', many: true },
      ],
      searches: [
        {
          name: 'all',
          parts: [
            { attribute: 'name', as: 'text' },
            { attribute: 'score', as: 'number' },
            { attribute: 'seen', as: 'instant' },
            { relation: 'artist' },
          ],
        },
      ],
      rankings: [{ name: 'top', attribute: 'score', direction: 'descending' }],
      fullText: [],
    });
  });

  it('has a limited number of unique attributes, of text, number or instant only', () => {
    const unique = (kind: string, more = {}) =>
      ({ name: kind, kind, unique: true, ...more }) as never;
    expect(
      fieldErrorsOf({ attributes: ['text', 'number', 'instant'].map((kind) => unique(kind)) }),
    ).toEqual([]);
    const others = ['boolean', 'list', 'map', 'set'];
    expect(fieldErrorsOf({ attributes: others.map((kind) => unique(kind)) })).toEqual([
      'body.attributes must have at most 3 unique attributes, not 4',
      ...others.map((kind, index) => {
        return `body.attributes[${index}].unique must be on a text, a number or an instant, not on a ${kind}`;
      }),
    ]);
    expect(fieldErrorsOf({ attributes: [unique('instant', { automatic: 'created' })] })).toEqual([
      'body.attributes[0].unique must not be on an automatic attribute',
    ]);
  });

  it('may be empty, and may use names of Object.prototype', () => {
    expect(fieldErrorsOf({})).toEqual([]);
    const names = ['constructor', 'toString', 'hasOwnProperty'];
    const given = names.map((name) => ({ name, kind: 'text' as const }));
    const searches = names.map((name) => ({ name, parts: [{ attribute: name }] }));
    expect(fieldErrorsOf({ attributes: given, searches, fullText: names })).toEqual([]);
    expect(fieldErrorsOf({ fullText: ['constructor'] })).toHaveLength(1);
  });

  it('has names in normal form C, so that two equal-looking names are a duplicate', () => {
    const twice = [
      { name: 'caf\u00e9', kind: 'text' as const },
      { name: 'cafe\u0301', kind: 'text' as const },
    ];
    expect(fieldErrorsOf({ attributes: twice })).toEqual([
      'body.attributes[1].name must be unique among attributes and relations',
    ]);
  });

  it.each<[string, TypeInput, string[]]>([
    [
      'the same name for an attribute and a relation',
      { relations: [{ name: 'name', to: 'A' }] },
      ['body.relations[0].name must be unique among attributes and relations'],
    ],
    [
      'the same name for a search and a ranking',
      {
        searches: [{ name: 'by', parts: [{ attribute: 'name' }] }],
        rankings: [{ name: 'by', attribute: 'score' }],
      },
      ['body.rankings[0].name must be unique among searches and rankings'],
    ],
    [
      'the name __proto__',
      {
        attributes: [{ name: '__proto__', kind: 'text' }],
        relations: [{ name: '__proto__', to: 'A' }],
      },
      [
        'body.relations[0].name must be unique among attributes and relations',
        'body.attributes[0].name must not be "__proto__"',
        'body.relations[0].name must not be "__proto__"',
      ],
    ],
    [
      'undeclared attributes and relations as parts',
      { searches: [{ name: 's', parts: [{ attribute: 'artist' }, { relation: 'name' }] }] },
      [
        'body.searches[0].parts[0].attribute must be an attribute of the type',
        'body.searches[0].parts[1].relation must be a relation of the type',
      ],
    ],
    [
      'parts with both an attribute and a relation, or neither',
      { searches: [{ name: 's', parts: [{ attribute: 'name', relation: 'artist' }, {}] }] },
      [
        'body.searches[0].parts[0] must have either an attribute or a relation',
        'body.searches[0].parts[1] must have either an attribute or a relation',
      ],
    ],
    [
      'parts that are relations to many, or relations with an encoding',
      {
        searches: [
          { name: 's', parts: [{ relation: 'featuring' }, { relation: 'artist', as: 'text' }] },
        ],
      },
      [
        'body.searches[0].parts[0].relation must be a relation to one',
        'body.searches[0].parts[1].as must be on an attribute',
      ],
    ],
    [
      'encodings that do not fit the kind',
      {
        searches: [
          {
            name: 's',
            parts: [
              { attribute: 'name', as: 'number' },
              { attribute: 'score', as: 'collated' },
            ],
          },
        ],
      },
      [
        'body.searches[0].parts[0].as must be text or collated: the attribute is a text',
        'body.searches[0].parts[1].as must be number: the attribute is a number',
      ],
    ],
    [
      'a duplicate part',
      {
        searches: [
          { name: 's', parts: [{ attribute: 'name' }, { attribute: 'name', as: 'collated' }] },
        ],
      },
      ['body.searches[0].parts[1] is a duplicate'],
    ],
    [
      'rankings of unordered attributes',
      {
        rankings: [
          { name: 'a', attribute: 'name' },
          { name: 'b', attribute: 'artist' },
        ],
      },
      [
        'body.rankings[0].attribute must be of kind number or instant, not text',
        'body.rankings[1].attribute must be an attribute of the type',
      ],
    ],
    [
      'duplicate or empty filters',
      { filters: [{ attribute: 'name' }, { attribute: 'name', as: 'collated' }, {}] },
      [
        'body.filters[1] is a duplicate',
        'body.filters[2] must have either an attribute or a relation',
      ],
    ],
    [
      'filters of undeclared attributes, or with another encoding',
      { filters: [{ attribute: 'none' }, { attribute: 'score', as: 'text' }] },
      [
        'body.filters[0].attribute must be an attribute of the type',
        'body.filters[1].as must be number: the attribute is a number',
      ],
    ],
    [
      'full text of a number, or a duplicate',
      { fullText: ['name', 'score', 'name'] },
      [
        'body.fullText[2] is a duplicate',
        'body.fullText[1] must be of kind text or set, not number',
      ],
    ],
    [
      'automatic attributes of a wrong kind, or required',
      {
        attributes: [
          { name: 'a', kind: 'text', automatic: 'created' },
          { name: 'b', kind: 'instant', automatic: 'updated', required: true },
        ],
      },
      [
        'body.attributes[0].automatic must be on an instant, not on a text',
        'body.attributes[1].automatic must not be on a required attribute',
      ],
    ],
  ])('is refused with %s', (_, body, fieldErrors) => {
    expect(fieldErrorsOf(body)).toEqual(fieldErrors);
  });

  it('limits searches and rankings together', () => {
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const searches = names.map((name) => ({ name, parts: [{ attribute: 'name' }] }));
    expect(fieldErrorsOf({ searches })).toEqual([]);
    expect(fieldErrorsOf({ searches, rankings: [{ name: 'top', attribute: 'score' }] })).toEqual([
      'body.searches must be at most 20 together with the rankings, not 21',
    ]);
  });
});
