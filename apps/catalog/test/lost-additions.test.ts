import { openBeforeAll } from '@engawa/testing';
import { declare, make, pathOf, put } from './entities.ts';
import { startTwoReplicas } from './two-replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TestResponse, Catalog } from './catalog.ts';

const counter = {
  attributes: [
    { name: 'score', kind: 'number' },
    { name: 'coins', kind: 'number' },
    { name: 'likes', kind: 'number' },
    { name: 'note', kind: 'text' },
    { name: 'tags', kind: 'set' },
  ],
  searches: [{ name: 'byLikes', parts: [{ attribute: 'likes' }] }],
  rankings: [{ name: 'byScore', attribute: 'score' }],
};

describe('an addition whose response is lost', () => {
  const replicas = openBeforeAll(startTwoReplicas);
  let quick: Catalog;
  beforeAll(async () => {
    quick = replicas.quick;
    await declare(quick, { Counter: counter });
  });

  const patch = (
    catalog: Catalog,
    id: string,
    attributes: object,
    query = '',
  ): Promise<TestResponse> =>
    catalog.ask(pathOf('Counter', id) + query, { method: 'PATCH', body: { attributes } });

  /** Adds 1 by the slow replica: the response is lost, and the SDK's retry is held until `between` has written. */
  async function addLosing(
    id: string,
    attribute: string,
    others: () => Promise<unknown>,
    { status = 200, query = '' } = {},
  ) {
    let came = 0;
    // The UpdateItem of a missing entity writes nothing.
    const kinds = status === 201 ? /TransactWriteItems/ : /UpdateItem|TransactWriteItems/;
    const writes = ({ operation, body }: ProxiedRequest) =>
      kinds.test(operation) && body.includes(id);
    replicas.gate.loseAnswer((request) => writes(request));
    const again = replicas.gate.hold((request) => writes(request) && ++came === 2);
    const answer = patch(replicas.slow, id, { [attribute]: { add: 1 } }, query);
    await again.arrived;
    await others();
    again.release();
    expect((await answer).status).toBe(status);
    const { body } = await quick.ask(pathOf('Counter', id));
    return (body as { attributes: Record<string, unknown> }).attributes;
  }

  it.each(['coins', 'score', 'likes'])(
    'is applied once despite concurrent writes: %s',
    async (attribute) => {
      const id = `once-${attribute}`;
      await make(quick, ['Counter', id, { attributes: { [attribute]: 10 } }]);
      const attributes = await addLosing(id, attribute, async () => {
        await patch(quick, id, { [attribute]: { add: 5 } });
        await patch(quick, id, { note: 'in between' });
      });
      expect(attributes).toEqual({ [attribute]: 16, note: 'in between' });
    },
  );

  it.each(['coins', 'score', 'likes'])(
    'is applied once despite a concurrent PUT: %s',
    async (attribute) => {
      const id = `put-${attribute}`;
      await make(quick, ['Counter', id, { attributes: { [attribute]: 10 } }]);
      const attributes = await addLosing(id, attribute, () =>
        put(quick, ['Counter', id], { attributes: { [attribute]: 100 } }),
      );
      expect(attributes).toEqual({ [attribute]: 100 });
    },
  );

  it.each(['coins', 'score', 'likes'])(
    'is applied once if it creates the entity: %s',
    async (attribute) => {
      const id = `new-${attribute}`;
      const query = '?upsert=true';
      const others = async () => {
        const changed = await patch(quick, id, { [attribute]: { add: 5 } }, query);
        expect(changed.status).toBe(200);
      };
      const attributes = await addLosing(id, attribute, others, { status: 201, query });
      expect(attributes).toEqual({ [attribute]: 6 });
    },
  );

  it('is applied once among concurrent additions of two replicas', async () => {
    await make(quick, ['Counter', 'x', { attributes: { tags: [] } }]);
    const names = ['coins', 'coins', 'score', 'likes'];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const tags = { append: [`t${index}`] };
        const catalog = index % 2 === 0 ? quick : replicas.slow;
        return patch(catalog, 'x', { [names[index % 4] ?? '']: { add: 1 }, tags });
      }),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const { body } = await quick.ask(pathOf('Counter', 'x'));
    expect(body).toMatchObject({ version: 101, attributes: { coins: 50, score: 25, likes: 25 } });
    expect((body as { attributes: { tags: string[] } }).attributes.tags).toHaveLength(100);
  });
});
