import { createHash } from 'node:crypto';
import { loadHere, modelNames, readModel, startQuietCatalog } from './models.ts';
import type { CatalogWithUrl } from './models.ts';

const accept = 'application/x-ndjson';

/** Determined by the seed, so that a failure can be repeated. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const keyed = items.map((item, index) => {
    const key = createHash('sha256').update(`${seed} ${index}`).digest('hex');
    return { item, key };
  });
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

interface DeclaredType {
  name: string;
  attributes?: { name: string; automatic?: string }[];
}

/** The lines of an export, as they are: a parser would change digits. */
async function linesOf(catalog: CatalogWithUrl, types: readonly DeclaredType[]): Promise<string[]> {
  const texts = await Promise.all(
    types.map(async ({ name }) => {
      const path = `/v1/entities/${encodeURIComponent(name)}?whole=true`;
      const answer = await fetch(catalog.url + path, { headers: { accept } });
      expect(answer.status).toBe(200);
      return answer.text();
    }),
  );
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

/** Of all but the times and versions that the service sets. */
function digestOf(lines: readonly string[], types: readonly DeclaredType[]): string {
  const automatic = types.flatMap(({ attributes = [] }) =>
    attributes.flatMap(({ name, automatic }) => (automatic === undefined ? [] : [name])),
  );
  const ofService = ['createdAt', 'updatedAt', 'version', ...automatic];
  const withoutThem = lines.map((line) =>
    ofService.reduce(
      (text, name) => text.replaceAll(new RegExp(`"${name}":("[^"]*"|\\d+),?`, 'g'), ''),
      line,
    ),
  );
  return createHash('sha256').update(withoutThem.toSorted().join('\n')).digest('hex');
}

it.each(modelNames)('the export of %s is imported from lines in any order', async (name) => {
  const types = readModel(name).types as DeclaredType[];
  const from = await startQuietCatalog();
  const to = await startQuietCatalog();
  try {
    await loadHere([name], { CATALOG_URL: from.url });
    for (const { name: type, ...body } of types) {
      const path = `/v1/types/${encodeURIComponent(type)}`;
      expect(await to.ask(path, { method: 'PUT', body })).toMatchObject({ status: 201 });
    }
    const lines = await linesOf(from, types);
    const body = shuffled(lines, lines.length).join('\n');
    const headers = { 'content-type': accept };
    const imported = await to.ask('/v1/entities', { method: 'POST', headers, body });
    const entities = { created: lines.length, existing: 0 };
    expect(imported.body).toEqual({ entities, failed: 0, errors: [] });
    expect(digestOf(await linesOf(to, types), types)).toBe(digestOf(lines, types));
    expect(digestOf(lines.slice(1), types)).not.toBe(digestOf(lines, types));
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});
