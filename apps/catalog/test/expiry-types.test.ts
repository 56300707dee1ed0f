import { openBeforeEach } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf } from './entities.ts';
import {
  afterMargin,
  busy,
  dueAt,
  expiring,
  iso,
  isStored,
  session,
  sessionOf,
  untilDeleted,
  user,
} from './sessions.ts';
import { startTable } from './table.ts';
import { getType, putType, untilBuilt } from './types.ts';

const { expires, ...staying } = session;

describe('`expires` of a type', () => {
  let time: number;

  // Each test has a service of its own: it moves its clock.
  const started = openBeforeEach(startTable);
  beforeEach(() => {
    time = dueAt - 1000;
  });
  const catalog = openBeforeEach(() => catalogOn(started, busy, { now: () => time }));

  const statusOf = async (id: string) => (await catalog.ask(pathOf('Session', id))).status;

  it('must name an instant that is not automatic', async () => {
    const attributes = [
      { name: 'title', kind: 'text' },
      { name: 'made', kind: 'instant', automatic: 'created' },
    ];
    for (const [attribute, message] of [
      ['title', 'must be of kind instant, not text'],
      ['made', 'must not be automatic'],
      ['until', 'must be an attribute of the type'],
    ]) {
      expect(await putType(catalog, 'Visit', { attributes, expires: { attribute } })).toMatchObject(
        {
          status: 400,
          body: { errors: [{ path: 'body.expires.attribute', message }] },
        },
      );
    }
  });

  it('applies to existing entities after it is built, and not after its removal', async () => {
    await declare(catalog, { User: user, Session: staying });
    await make(
      catalog,
      ['User', 'anna', {}],
      ['Session', 'past', sessionOf({ until: iso(dueAt - 9e6) })],
      ['Session', 'next', sessionOf()],
      ['Session', 'free', sessionOf({ until: undefined })],
    );
    expect(await statusOf('past')).toBe(200);
    expect(await putType(catalog, 'Session', session)).toMatchObject({
      status: 200,
      body: { expires },
    });
    expect(await statusOf('past')).toBe(404);
    await untilDeleted(started.table, ['past']);
    expect(await expiring(started.table)).toEqual(['next']);
    await putType(catalog, 'Session', staying);
    await untilBuilt(catalog, 'Session');
    expect(await getType(catalog, 'Session')).not.toHaveProperty('expires');
    expect(await expiring(started.table)).toEqual([]);
    time = afterMargin;
    expect([await statusOf('next'), await statusOf('free')]).toEqual([200, 200]);
  });

  it('follows a change of the named attribute', async () => {
    await declare(catalog, { User: user, Session: session });
    await make(catalog, ['User', 'anna', {}], ['Session', 's', sessionOf()]);
    const named = session.attributes.map((one) =>
      one.name === 'until' ? { ...one, name: 'end', renamedFrom: 'until' } : one,
    );
    const body = { ...session, attributes: named, expires: { attribute: 'end' } };
    expect(await putType(catalog, 'Session', body)).toMatchObject({ status: 200 });
    expect(await statusOf('s')).toBe(200);
    time = dueAt;
    expect(await statusOf('s')).toBe(404);
    time = afterMargin;
    await untilDeleted(started.table, ['s']);
  });

  it('ignores values of an open type that are not instants', async () => {
    const open = { attributes: [], additional: true };
    await declare(catalog, { Visit: open });
    const given = { text: '5', number: 5, instant: iso(dueAt - 9e6) };
    for (const [id, until] of Object.entries(given)) {
      await make(catalog, ['Visit', id, { attributes: { until } }]);
    }
    const attributes = [{ name: 'until', kind: 'instant' }];
    await declare(catalog, { Visit: { ...open, attributes, expires } });
    const left = async () => {
      const stored = await Promise.all(
        Object.keys(given).map((id) => isStored(started.table, id, 'Visit')),
      );
      return stored.join();
    };
    await untilDeleted(started.table, ['instant'], 'Visit');
    expect(await left()).toBe('true,true,false');
    for (const id of ['text', 'number']) {
      expect(await catalog.ask(pathOf('Visit', id))).toMatchObject({ status: 200 });
    }
  });
});
