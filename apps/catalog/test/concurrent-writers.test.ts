import { catalogTaskPartition } from '@engawa/keys';
import { fixedShards } from '@engawa/table';
import { until } from '@engawa/testing';
import pino from 'pino';
import { detachRelated } from '../src/entities/delete/detach-related.ts';
import { EntityStore } from '../src/entities/write/entity-store.ts';
import { taskOf } from '../src/tasks/task-runner.ts';
import { PolledTypes } from '../src/types/known/polled-types.ts';
import { catalogOn } from './catalog.ts';
import { declare, foundIn, make, pathOf, put, quiet, track, trackOf } from './entities.ts';
import { decides, Gate, isTransaction, settles } from './gate.ts';
import { startTable } from './table.ts';
import { featuringOf, ids, makeArtists, medley } from './two-replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { Catalog } from './catalog.ts';
import type { MusicTypes } from './entities.ts';
import type { StartedTable } from './table.ts';

const shards = fixedShards(1);

/** Replicas, one of which is delayed by a gate. */
describe('concurrent writers', () => {
  let started: StartedTable;
  let gates: readonly [Gate, Gate];
  let quick: Catalog;
  let slow: Catalog;
  let slower: Catalog;
  let music: MusicTypes;
  let Artist: string;
  let Track: string;

  beforeAll(async () => {
    started = await startTable();
    const { endpoint } = started.location;
    gates = [await Gate.start(endpoint), await Gate.start(endpoint)];
    const environment = { TYPE_REFRESH_MS: '200', TYPE_SETTLE_MS: '0', RATE_LIMIT_PER_MINUTE: '0' };
    quick = await catalogOn(started, environment);
    slow = await catalogOn(started, { ...environment, ...gates[0].environment });
    slower = await catalogOn(started, { ...environment, ...gates[1].environment });
  });
  beforeEach(async () => {
    music = await makeArtists([quick, slow, slower]);
    ({ Artist, Track } = music);
  });
  afterAll(async () => {
    await Promise.all([quick, slow, slower].map((catalog) => catalog.close()));
    await Promise.all(gates.map((gate) => gate.close()));
    await started.close();
  });

  const featuring = (id: string) => featuringOf(quick, [Track, id]);
  /** Tasks of other tests are in the table, too. */
  const isOwn = ({ body }: ProxiedRequest) => body.includes(Track) || body.includes(Artist);

  const intentRecords = async () =>
    (await started.table.query({ pk: catalogTaskPartition, consistent: true })).items
      .map(taskOf)
      .filter(({ kind, segments }) => kind === 'DELETION' && segments[0] === Artist);

  /** Runs the background tasks of deletions. */
  async function detachAll(): Promise<void> {
    const { table } = started;
    const log = pino({ enabled: false });
    const types = new PolledTypes({ table, log });
    await types.start();
    const entities = new EntityStore({ table, shards, types, log });
    const left = await intentRecords();
    expect(left).not.toEqual([]);
    const detach = detachRelated({ table, entities });
    for (const intentRecord of left) {
      // Like after the maximum index lag, with the claim of the first pass expired.
      const item = { ...intentRecord.item, at: 0, claim: { by: 'gone', until: 0 } };
      await table.put(item);
      await detach(taskOf(item), new AbortController().signal);
    }
    types.close();
  }

  it('revert no acknowledged change by rolling an earlier staged write forward', async () => {
    await make(quick, [Track, 't', { attributes: { title: 'begin' } }]);
    const [gate, slowerGate] = gates;
    const first = slowerGate.hold(settles);
    const one = put(slower, [Track, 't'], medley('one', ids.slice(0, 65)));
    await first.arrived;
    // The slow replica settles the write of the other one, and is held before its next read.
    const intentRecord = gate.hold(
      (request) => request.operation === 'DeleteItem' && isOwn(request),
    );
    const removed = ids[70] ?? '';
    const patched = slow.ask(pathOf(Track, 't'), {
      method: 'PATCH',
      body: { relations: { featuring: { remove: [removed] } } },
    });
    await intentRecord.arrived;
    first.release();
    expect(await one).toMatchObject({ status: 200 });
    const second = slowerGate.hold(settles);
    const two = put(slower, [Track, 't'], medley('two', ids.slice(65)));
    await second.arrived;
    intentRecord.release();
    expect(await patched).toMatchObject({ status: 200 });
    second.release();
    expect(await two).toMatchObject({ status: 200 });
    expect(await featuring('t')).toEqual(ids.slice(65).filter((id) => id !== removed));
  });

  it('leave no relation to an entity deleted before the commit of a staged write', async () => {
    const held = gates[0].hold(decides);
    const made = put(slow, [Track, 't'], medley('all', ids.slice(0, 120)));
    await held.arrived;
    const removed = await quick.ask(pathOf(Artist, 'a000'), { method: 'DELETE' });
    expect(removed).toMatchObject({ status: 204 });
    held.release();
    expect(await made).toMatchObject({ status: 201 });
    await detachAll();
    expect(await featuring('t')).toEqual(ids.slice(1, 120));
  });

  it('leave no relation that was created during the deletion of its target', async () => {
    const held = gates[0].hold((request) => isTransaction(request) && isOwn(request));
    const removed = slow.ask(pathOf(Artist, 'a000'), { method: 'DELETE' });
    await held.arrived;
    await make(quick, [Track, 't', medley('t', ['a000'])]);
    held.release();
    expect(await removed).toMatchObject({ status: 204 });
    await detachAll();
    expect(await featuring('t')).toEqual([]);
  });

  it('respect a relation declared moments ago by another replica when they delete its target', async () => {
    await declare(quick, { Label: { attributes: [] } });
    await make(quick, ['Label', 'l', {}]);
    // A replica of its own: it polls the types now, and not again for ten minutes.
    const stale = await catalogOn(started, quiet);
    try {
      const relations = [{ name: 'label', to: 'Label', many: false }];
      await declare(quick, { Contract: { attributes: [], relations } });
      await make(quick, ['Contract', 'c', { relations: { label: 'l' } }]);
      const answer = await stale.ask(pathOf('Label', 'l'), { method: 'DELETE' });
      expect(answer).toMatchObject({ status: 409 });
    } finally {
      await stale.close();
    }
  });

  it('add entities to a search that was declared during their staged write', async () => {
    const held = gates[0].hold(decides);
    const body = { ...medley('x', ids), attributes: { title: 'x', released: 5 } };
    const made = put(slow, [Track, 't'], body);
    await held.arrived;
    const searches = [...track.searches, { name: 'byYear', parts: [{ attribute: 'released' }] }];
    await declare(quick, { [Track]: { ...trackOf(music), searches } });
    await until('the search to be built', async () => {
      return (await quick.ask(`/v1/search/${Track}/byYear?eq=5`)).status === 200;
    });
    held.release();
    expect((await made).status).toBe(201);
    expect(await foundIn(started.table, Track, 'byYear')).toEqual(['t']);
  });

  it('leave no obsolete search row', async () => {
    const title = 'x'.repeat(345_000);
    const long = ['s1', 's2', 's3'].map((name) => ({
      name,
      parts: [{ attribute: 'title', as: 'collated' }],
    }));
    const attributes = ['title', 'kind'].map((name) => ({ name, kind: 'text' }));
    const searches = [{ name: 's0', parts: [{ attribute: 'kind' }] }, ...long];
    await declare(quick, { Wide: { attributes, searches } });
    for (const catalog of [slow, slower]) {
      await until('the replica to have the type', async () => {
        return (await catalog.ask('/v1/entities/Wide')).status === 200;
      });
    }
    await make(slow, ['Wide', 'w', { attributes: { title } }]);
    // The items exceed one page of a Query (1 MB).
    const page = gates[0].hold(
      ({ operation, body }) =>
        operation === 'Query' && body.includes('ExclusiveStartKey') && body.includes('Wide'),
    );
    const removed = slow.ask(pathOf('Wide', 'w'), { method: 'DELETE' });
    await page.arrived;
    await make(slower, ['Wide', 'w', { attributes: { title, kind: 'k' } }]);
    page.release();
    expect(await removed).toMatchObject({ status: 204 });
    expect(await foundIn(started.table, 'Wide', 's0')).toEqual([]);
  });
});
