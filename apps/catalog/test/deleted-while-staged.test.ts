import { catalogTaskPartition } from '@engawa/keys';
import { openBeforeAll, until } from '@engawa/testing';
import { taskOf } from '../src/tasks/task-runner.ts';
import { endDeletions } from './end-deletions.ts';
import { make, pathOf, put } from './entities.ts';
import { decides, settles, stages } from './gate.ts';
import { featuringOf, ids, makeArtists, medley, startPair } from './two-replicas.ts';

describe('an entity that is deleted during a staged write with a relation to it', () => {
  const replicas = openBeforeAll(startPair);
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await makeArtists([replicas.quick, replicas.slow]));
  });

  /** Deletes the artist, and waits for the first pass of the background task. */
  async function remove(id: string): Promise<void> {
    const { quick } = replicas;
    const path = `${pathOf(Artist, id)}?detach=true`;
    expect(await quick.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await untilFirstPass();
  }

  async function untilFirstPass(): Promise<void> {
    const { table } = replicas.started;
    await until('the first pass of the deletion task', async () => {
      const { items } = await table.query({ pk: catalogTaskPartition, consistent: true });
      return items.some((item) => item['looked'] === true && taskOf(item).segments[0] === Artist);
    });
  }

  const featuring = (id: string) => featuringOf(replicas.quick, [Track, id]);

  async function related(id: string): Promise<string[]> {
    const { body } = await replicas.quick.ask(`${pathOf(Artist, id)}/related/${Track}`);
    return (body as { items: { id: string }[] }).items.map((item) => item.id);
  }

  it.each([
    ['new', undefined],
    ['changed', ids.slice(0, 2)],
  ])(
    'has the relation in both directions after it is created again, from an entity that is %s',
    async (_, before) => {
      const { quick, slow, gate } = replicas;
      if (before !== undefined) await make(quick, [Track, 's', medley('before', before)]);
      const held = gate.hold(decides);
      const answer = put(slow, [Track, 's'], medley('s', ids));
      await held.arrived;
      await remove('a007');
      await make(quick, [Artist, 'a007', { attributes: { name: 'again' } }]);
      held.release();
      expect((await answer).status).toBe(before === undefined ? 201 : 200);
      await endDeletions(replicas.started, Artist);
      expect(await featuring('s')).toEqual(ids);
      expect(await related('a007')).toEqual(['s']);
    },
  );

  it('has no relation from a write that is rolled forward during the search for its relations', async () => {
    const { slow, gate } = replicas;
    const rollForward = gate.hold(settles);
    const answer = put(slow, [Track, 's'], medley('s', ids));
    await rollForward.arrived;
    // After the rows, the task reads which staged writes are committed.
    const looking = gate.hold(({ operation, body }) => {
      return operation === 'BatchGetItem' && body.includes(`#${Track}#`);
    });
    const path = `${pathOf(Artist, 'a007')}?detach=true`;
    expect(await slow.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await looking.arrived;
    rollForward.release();
    expect((await answer).status).toBe(201);
    looking.release();
    await untilFirstPass();
    expect(await featuring('s')).toEqual(ids.filter((id) => id !== 'a007'));
  });

  it.each([
    ['rows', stages],
    ['decision', decides],
  ])('has no relation from a write whose %s come after the deletion', async (_, matches) => {
    const { quick, slow, gate } = replicas;
    await make(quick, [Track, 's', medley('before', ['a007', 'a008'])]);
    const held = gate.hold(matches);
    // An existing row changes, so the write does not check the target.
    const relations = { artist: 'a007', featuring: ids };
    const answer = put(slow, [Track, 's'], { attributes: { title: 's' }, relations });
    await held.arrived;
    await remove('a007');
    held.release();
    expect((await answer).status).toBe(409);
    const { body } = await quick.ask(pathOf(Track, 's'));
    expect(body).toMatchObject({ relations: { featuring: ['a008'] } });
    expect(body).not.toHaveProperty('relations.artist');
  });

  it('causes the staged write to be refused if it stays deleted', async () => {
    const { slow, gate, quick } = replicas;
    const held = gate.hold(decides);
    const answer = put(slow, [Track, 's'], medley('s', ids));
    await held.arrived;
    await remove('a007');
    held.release();
    expect((await answer).status).toBe(409);
    expect((await quick.ask(pathOf(Track, 's'))).status).toBe(404);
  });
});
