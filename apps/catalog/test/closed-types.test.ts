import { entityTypeKey } from '@engawa/keys';
import { openBeforeAll, until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, ownName, pathOf, put } from './entities.ts';
import { Gate, isTransaction } from './gate.ts';
import { startTable } from './table.ts';
import { putType, typePath, untilBuilt } from './types.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TestResponse } from './catalog.ts';

const event = {
  attributes: [{ name: 'at', kind: 'text' }],
  searches: [{ name: 'byAt', parts: [{ attribute: 'at' }] }],
};
const asInstant = { ...event, attributes: [{ name: 'at', kind: 'instant' }] };
const inUse = { status: 409, body: { type: '/problems/type-in-use' } };
const changing = { status: 409, body: { type: '/problems/type-changing' } };

describe('a type with a deletion or incompatible change during writes of another replica', () => {
  const environment = { TYPE_REFRESH_MS: '50', TYPE_SETTLE_MS: '2500', TASK_REFRESH_MS: '200' };
  const started = openBeforeAll(startTable);
  const gate = openBeforeAll(() => Gate.start(started.location.endpoint));
  const quick = openBeforeAll(() => catalogOn(started, environment));
  const slow = openBeforeAll(() => catalogOn(started, { ...environment, ...gate.environment }));
  let Event: string;
  beforeEach(async () => {
    Event = ownName('Event');
    await declare(quick, { [Event]: event });
  });

  const makesEntity = (request: ProxiedRequest) =>
    isTransaction(request) && request.body.includes(`E#${Event}#`);

  const remove = () => quick.ask(typePath(Event), { method: 'DELETE' });
  const change = () => putType(quick, Event, asInstant);
  const isClosed = async () => {
    const item = await started.table.get(entityTypeKey(Event), { consistent: true });
    return item?.['closing'] !== undefined;
  };

  it.each([
    ['deleted', remove],
    ['changed', change],
  ])('is unchanged if an entity is created meanwhile: %s', async (_, act) => {
    const held = gate.hold(makesEntity);
    const made = put(slow, [Event, 'e'], { attributes: { at: 'noon' } });
    await held.arrived;
    let answer: TestResponse | undefined;
    const acted = act().then((given) => (answer = given));
    await until(
      'the type to be closed or changed',
      async () => answer !== undefined || (await isClosed()),
    );
    held.release();
    expect(await made).toMatchObject({ status: 201 });
    expect(await acted).toMatchObject(inUse);
    expect(await quick.ask(pathOf(Event, 'e'))).toMatchObject({ status: 200 });
    // The type accepts entities again, on both replicas.
    for (const [index, catalog] of [quick, slow].entries()) {
      await until('the type to be open', async () => {
        const body = { attributes: { at: 'later' } };
        return (await put(catalog, [Event, `open${index}`], body)).status === 201;
      });
    }
  });

  it('rejects new entities until the change is complete', async () => {
    const acted = change();
    await until('the type to be closed', isClosed);
    const attributes = { at: 'noon' };
    // This replica reads the type itself and refuses changes; the other replica knows after two polls.
    const sent = gate.requests.length;
    await until('the other replica to poll', () => {
      return gate.requests.slice(sent).filter(({ body }) => body.includes('MARK')).length > 1;
    });
    await until('the other replica to have the type', async () => {
      // A PATCH of a missing entity creates nothing.
      const headers = { 'if-match': '*' };
      return (await put(slow, [Event, 'e'], { attributes }, headers)).status === 404;
    });
    const refused = await put(slow, [Event, 'e'], { attributes });
    expect(refused).toMatchObject(changing);
    expect(refused.headers.get('retry-after')).toBe('2');
    const line = { type: Event, id: 'e', attributes };
    const bulk = await slow.ask('/v1/entities', { method: 'POST', body: line });
    expect(bulk).toMatchObject({ status: 200, body: { entities: { created: 0 } } });
    expect(await acted).toMatchObject({ status: 200, body: { version: 2 } });
    await untilBuilt(quick, Event);
    const at = '2026-11-23T00:00:00.000Z';
    await until('the other replica to have the current type', async () => {
      const answer = await put(slow, [Event, 'e'], { attributes: { at } });
      return answer.status === 201;
    });
    const found = await quick.ask(`/v1/search/${Event}/byAt?eq=${at}`);
    expect(found).toMatchObject({ status: 200, body: { items: [{ id: 'e' }] } });
  });

  it('accepts new entities again after the replica that closed it failed', async () => {
    const closing = { by: 'gone', until: Date.now() - 1 };
    await started.table.update(entityTypeKey(Event), { set: { closing } });
    await putType(quick, Event, { ...event, fullText: ['at'] });
    await started.table.update(entityTypeKey(Event), { set: { closing } });
    expect(await put(slow, [Event, 'e'], { attributes: { at: 'x' } })).toMatchObject({
      status: 201,
    });
    expect(await remove()).toMatchObject(inUse);
    await quick.ask(pathOf(Event, 'e'), { method: 'DELETE' });
    expect(await remove()).toMatchObject({ status: 204 });
  });
});
