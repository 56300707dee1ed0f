import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf, put, quiet } from './entities.ts';
import { ask, idsIn, problemOf, walk } from './list-queries.ts';

/** Characters that normal form C replaces: Japanese name variants, a letter and its accent, the sign of the kelvin. */
const texts = ['\ufa19社', '\ufa10本', 'Rene\u0301', '\u212a', '\uf900'];

const type = {
  attributes: [
    { name: 'name', kind: 'text' },
    { name: 'code', kind: 'text', unique: true },
    { name: 'tags', kind: 'set' },
    { name: 'plays', kind: 'number' },
  ],
  relations: [] as object[],
  searches: [
    { name: 'byName', parts: [{ attribute: 'name' }] },
    { name: 'byCollated', parts: [{ attribute: 'name', as: 'collated' }] },
    { name: 'byTag', parts: [{ attribute: 'tags' }] },
  ],
};

describe('a text', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));

  const patch = (name: string, id: string, body: object) =>
    catalog.ask(pathOf(name, id), { method: 'PATCH', body });
  const attributesOf = async (name: string, id: string) =>
    (await ask<{ attributes: Record<string, unknown> }>(catalog, ['entities', name, id]))
      .attributes;

  it('is kept as written, in attributes, sets and attributes of relations', async () => {
    const name = ownName('Person');
    const knows = { name: 'knows', to: name, many: true, attributes: type.attributes.slice(0, 1) };
    await declare(catalog, { [name]: { ...type, relations: [knows] } });
    await make(catalog, [name, 'x', {}]);
    for (const [index, text] of texts.entries()) {
      const id = String(index);
      const attributes = { name: text, code: text, tags: [text] };
      const relations = { knows: [{ id: 'x', attributes: { name: text } }] };
      await make(catalog, [name, id, { attributes, relations }]);
      const read = await ask(catalog, ['entities', name, id]);
      expect(read).toMatchObject({ attributes, relations });
      // Another spelling of the same text is a change.
      const normal = text.normalize('NFC');
      await patch(name, id, { attributes: { name: normal, tags: { append: [normal] } } });
      expect(await attributesOf(name, id)).toMatchObject({ name: normal, tags: [normal] });
      await patch(name, id, { attributes: { name: text, tags: { append: [text] } } });
      expect(await attributesOf(name, id)).toMatchObject({ name: text, tags: [text] });
      await patch(name, id, { attributes: { tags: { remove: [normal] } } });
      expect(await attributesOf(name, id)).toMatchObject({ tags: [] });
    }
  });

  it('is found and compared in normal form', async () => {
    const name = ownName('Person');
    await declare(catalog, { [name]: type });
    for (const [index, text] of texts.entries()) {
      const id = String(index);
      await make(catalog, [name, id, { attributes: { name: text, code: text, tags: [text] } }]);
      for (const spelled of [text, text.normalize('NFC')]) {
        for (const search of ['byName', 'byCollated', 'byTag']) {
          const found = await walk<{ id: string }>(catalog, ['search', name, search], {
            eq: spelled,
          });
          expect([search, idsIn(found)]).toEqual([search, [id]]);
        }
        for (const conditions of [
          { name: { equals: spelled } },
          { name: { atLeast: spelled, atMost: spelled } },
          { tags: { contains: spelled, equals: [spelled] } },
        ]) {
          const changed = await patch(name, id, { attributes: { plays: { add: 1 } }, conditions });
          expect(changed.status).toBe(200);
        }
        const taken = await put(catalog, [name, 'other'], { attributes: { code: spelled } });
        expect(problemOf(taken).type).toBe('not-unique');
      }
      await patch(name, id, { attributes: { code: text.normalize('NFC') } });
      await patch(name, id, { attributes: { code: null } });
      expect(
        (await put(catalog, [name, 'other'], { attributes: { code: text } })).status,
      ).toBeLessThan(202);
    }
  });

  it('may not be two members of a set, or two attributes, in two spellings', async () => {
    const name = ownName('Person');
    await declare(catalog, { [name]: { ...type, additional: true } });
    const spellings = ['e\u0301', '\u00e9'];
    await make(catalog, [name, '1', { attributes: { tags: spellings } }]);
    expect(await attributesOf(name, '1')).toMatchObject({ tags: ['\u00e9'] });
    const twice = { attributes: { 'e\u0301': 1, '\u00e9': 2 } };
    expect(problemOf(await put(catalog, [name, '2'], twice))).toMatchObject({ status: 400 });
  });

  it('has one rule for the four letters I of Turkish, in searches and in full text', async () => {
    const name = ownName('City');
    const attributes = [{ name: 'name', kind: 'text' }];
    const searches = [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }];
    const declaration = { attributes, searches, fullText: ['name'] };
    await declare(catalog, { [name]: declaration });
    const spellings = ['\u0130stanbul', 'Istanbul', '\u0131stanbul', 'istanbul'];
    for (const [index, text] of spellings.entries()) {
      await make(catalog, [name, String(index), { attributes: { name: text } }]);
    }
    for (const text of spellings) {
      const found = await walk<{ id: string }>(catalog, ['search', name, 'byName'], { eq: text });
      expect(idsIn(found)).toEqual(['0', '1', '2', '3']);
    }
  });
});
