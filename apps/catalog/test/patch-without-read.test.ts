import { entityKey } from '@engawa/keys';
import { openBeforeEach } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { artist, declare, make, pathOf, quiet, track } from './entities.ts';

interface EntityResponse {
  version: number;
  updatedAt: string;
  attributes: Record<string, unknown>;
}

describe('a PATCH without a read', () => {
  const catalog = openBeforeEach(() => startCatalog(quiet));
  beforeEach(async () => {
    await declare(catalog, { Artist: artist, Track: track });
    await make(catalog, ['Track', '4', { attributes: { title: 'Heroes', plays: 3, live: true } }]);
  });

  const patch = async (attributes: object): Promise<EntityResponse> => {
    const body = { attributes };
    const answer = await catalog.ask(pathOf('Track', '4'), { method: 'PATCH', body });
    expect(answer.status).toBe(200);
    return answer.body as EntityResponse;
  };

  it('writes nothing for equal values, with one request', async () => {
    for (const same of [{ plays: 3 }, { plays: 3, live: true }, { recorded: null }]) {
      const cost = await catalog.costOf(async () => {
        expect(await patch(same)).toMatchObject({ version: 1, attributes: { plays: 3 } });
      });
      expect(cost).toEqual({ UpdateItem: 1 });
    }
    expect(await patch({ plays: 3, live: false })).toMatchObject({ version: 2 });
    expect(await patch({ live: null })).toMatchObject({ version: 3 });
    expect(await patch({ live: null })).toMatchObject({ version: 3 });
  });

  it('never decreases updatedAt, even if the clock goes backwards', async () => {
    // The state after a write of a replica whose clock is ahead.
    const ahead = Date.now() + 3_600_000;
    const key = entityKey({ type: 'Track', id: '4' });
    const setInside = [{ path: ['data', 'updatedAt'], value: ahead }];
    await catalog.table.update(key, { setInside });
    const shown = await patch({ plays: 4 });
    expect(Date.parse(shown.updatedAt)).toBeGreaterThan(ahead);
    expect(shown.attributes).toMatchObject({ plays: 4, changedAt: shown.updatedAt });
    const next = await patch({ plays: 5 });
    expect(next.updatedAt > shown.updatedAt).toBe(true);
  });
});

it('a PATCH is refused if its search rows exceed one write', async () => {
  const catalog = await startCatalog(quiet);
  try {
    const parts = [{ attribute: 'text', as: 'collated' }];
    const searches = Array.from({ length: 18 }, (_, index) => ({ name: `s${index}`, parts }));
    await declare(catalog, { Page: { attributes: [{ name: 'text', kind: 'text' }], searches } });
    const body = { attributes: { text: 'x'.repeat(250_000) } };
    const answer = await catalog.ask(pathOf('Page', 'p'), { method: 'PUT', body });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: 'body', message: expect.stringMatching(/4\.5 MB.* at most 4 MB/) as string },
        ],
      },
    });
  } finally {
    await catalog.close();
  }
});
