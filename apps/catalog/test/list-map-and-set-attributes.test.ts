import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import { problemOf } from './list-queries.ts';
import { putType } from './types.ts';
import type { TestResponse } from './catalog.ts';

const article = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'blocks', kind: 'list' },
    { name: 'options', kind: 'map' },
    { name: 'tags', kind: 'set', required: true },
    { name: 'sizes', kind: 'set', of: 'number' },
  ],
};

const digits = '12345678901234567890123456789012345678';

function nested(levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)];
}

describe('attributes that are lists, maps and sets', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(() => declare(catalog, { Article: article }));

  const get = async (id: string) =>
    (await (await fetch(`${catalog.api}${pathOf('Article', id)}`)).text()).replace(
      /,"version.*/,
      '',
    );
  const patch = (id: string, body: object): Promise<TestResponse> =>
    catalog.ask(pathOf('Article', id), { method: 'PATCH', body });
  const attributesOf = ({ body }: TestResponse) => (body as { attributes: object }).attributes;

  it('keep null, any names, and all digits of numbers', async () => {
    const text = `{"attributes":{"blocks":[1,null,{"a":[${digits},0.1,true]},"e\\u0301",[]],"options":{"constructor":null,"add":1,"":2},"tags":[]}}`;
    const named = text.replace(',"":2', '');
    const headers = { 'content-type': 'application/json' };
    const refused = await catalog.ask(pathOf('Article', 'a'), {
      method: 'PUT',
      body: text,
      headers,
    });
    expect(problemOf(refused)).toMatchObject({ status: 400, paths: ['body.attributes.options'] });
    const made = await catalog.ask(pathOf('Article', 'a'), { method: 'PUT', body: named, headers });
    expect(made.status).toBe(201);
    const shown = await get('a');
    expect(shown).toContain(`"blocks":[1,null,{"a":[${digits},0.1,true]},"e\u0301",[]]`);
    expect(JSON.parse(`${shown}}`)).toMatchObject({
      attributes: { options: { constructor: null, add: 1 }, tags: [] },
    });
  });

  it('have distinct, sorted members; a set may be empty', async () => {
    const tags = ['b', 'a', 'B', 'e\u0301', '\u00e9', 'a', '1', 'constructor'];
    const sizes = [10, 9.5, 1e1, -1];
    await make(catalog, ['Article', 'b', { attributes: { tags, sizes } }]);
    const whole = await catalog.ask(pathOf('Article', 'b'));
    expect(attributesOf(whole)).toEqual({
      tags: ['1', 'B', 'a', 'b', 'constructor', '\u00e9'],
      sizes: [-1, 9.5, 10],
    });
    // Sending a response back changes nothing, in any order of the members.
    const { version } = (await put(catalog, ['Article', 'b'], { attributes: { tags, sizes } }))
      .body as {
      version: number;
    };
    expect(version).toBe(1);
    const none = await patch('b', { attributes: { tags: [], sizes: null } });
    expect(attributesOf(none)).toEqual({ tags: [] });
    expect(attributesOf(await catalog.ask(pathOf('Article', 'b')))).toEqual({ tags: [] });
  });

  it('are changed in one request, like other attributes', async () => {
    await make(catalog, ['Article', 'c', { attributes: { tags: ['a'], title: 'x' } }]);
    const cost = await catalog.costOf(async () => {
      const attributes = { tags: ['b'], blocks: [1, { a: null }], options: { add: 5 } };
      expect(attributesOf(await patch('c', { attributes }))).toEqual({ ...attributes, title: 'x' });
      // The item has no map of sets, or the expected one.
      expect(attributesOf(await patch('c', { attributes }))).toEqual({ ...attributes, title: 'x' });
    });
    expect(cost).toEqual({ UpdateItem: 2 });
  });

  it('need one more request for their first set', async () => {
    await declare(catalog, {
      Bare: {
        attributes: [
          { name: 'tags', kind: 'set' },
          { name: 'n', kind: 'number' },
        ],
      },
    });
    await make(catalog, ['Bare', '1', { attributes: { n: 1 } }]);
    const change = (attributes: object) =>
      catalog.ask(pathOf('Bare', '1'), { method: 'PATCH', body: { attributes } });
    expect(attributesOf(await change({ tags: null }))).toEqual({ n: 1 });
    expect(attributesOf(await change({ tags: ['x'], n: 2 }))).toEqual({ n: 2, tags: ['x'] });
    expect(attributesOf(await change({ tags: null }))).toEqual({ n: 2 });
  });

  it('are refused with field errors if they do not fit', async () => {
    const invalid: [string, object, RegExp][] = [
      ['blocks', { blocks: { a: 1 } }, /must be a list/],
      ['blocks', { blocks: nested(21) }, /more than 20 nested lists and maps/],
      ['options', { options: [1] }, /must be an object/],
      ['options', { options: { ['x'.repeat(1100)]: 1 } }, /1100 bytes/],
      ['tags', { tags: 'a' }, /must be a list of texts/],
      ['tags', { tags: ['a', 1] }, /must contain only texts/],
      ['tags', { tags: [''] }, /is empty/],
      ['tags', { tags: null }, /must be a list of texts/],
      ['sizes', { sizes: ['1'] }, /must contain only numbers/],
    ];
    for (const [name, attributes, message] of invalid) {
      const given = { tags: ['a'], ...attributes };
      const answer = await put(catalog, ['Article', 'd'], { attributes: given });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          errors: [
            { path: `body.attributes.${name}`, message: expect.stringMatching(message) as string },
          ],
        },
      });
    }
    const invalidBody = '{"attributes": {"tags": [], "blocks": [{"a": [1e400]}]}}';
    const answer = await catalog.ask(pathOf('Article', 'd'), { method: 'PUT', body: invalidBody });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            message:
              'has at [0].a[0] a value that is a number out of range: its magnitude must be from 1E-130 to 9.9E+125',
          },
        ],
      },
    });
    expect(
      (await put(catalog, ['Article', 'd'], { attributes: { blocks: nested(20), tags: [] } }))
        .status,
    ).toBe(201);
  });

  it('are refused as parts of searches and rankings that need an order', async () => {
    const { attributes } = article;
    const more = [...attributes, { name: 'others', kind: 'set' }];
    const types: [object, string][] = [
      [
        { attributes, searches: [{ name: 's', parts: [{ attribute: 'blocks' }] }] },
        'body.searches[0].parts[0].attribute',
      ],
      [
        { attributes, searches: [{ name: 's', parts: [{ attribute: 'sizes', as: 'text' }] }] },
        'body.searches[0].parts[0].as',
      ],
      [
        {
          attributes: more,
          searches: [{ name: 's', parts: [{ attribute: 'tags' }, { attribute: 'others' }] }],
        },
        'body.searches[0].parts[1]',
      ],
      [{ attributes, rankings: [{ name: 'r', attribute: 'sizes' }] }, 'body.rankings[0].attribute'],
      [{ attributes, fullText: ['sizes'] }, 'body.fullText[0]'],
      [{ attributes: [{ name: 'a', kind: 'text', of: 'number' }] }, 'body.attributes[0].of'],
    ];
    for (const [type, path] of types) {
      const answer = await putType(catalog, 'Broken', type);
      expect(problemOf(answer)).toEqual({ status: 400, type: 'invalid-request', paths: [path] });
    }
    const other = {
      attributes: attributes.map((one) => (one.name === 'sizes' ? { ...one, of: 'text' } : one)),
    };
    expect(problemOf(await putType(catalog, 'Article', other))).toMatchObject({
      status: 409,
      paths: ['body.attributes[4]'],
    });
  });
});
