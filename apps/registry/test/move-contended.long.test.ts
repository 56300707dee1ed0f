import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, itemsOf, move, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(() => startRegistry({ RATE_LIMIT_PER_MINUTE: '0' }));
beforeAll(() => build(registry, 'home', ['a', 'b']));

const times = 400;
const address = pathOf('devices', 'contended');

/** Reads the device and changes it, again and again until nobody else was in between. */
async function insist(
  write: (ifMatch: string, device: { name: string }) => Promise<TestResponse>,
): Promise<TestResponse> {
  for (;;) {
    const { headers, body } = await registry.ask(address);
    const answer = await write(headers.get('etag') ?? '', body as { name: string });
    if (answer.status !== 412) return answer;
  }
}

function rename(name: string, ifMatch: string): Promise<TestResponse> {
  return registry.ask(address, {
    method: 'PATCH',
    headers: { 'if-match': ifMatch },
    body: { name },
  });
}

/** Increments the number in the name: if no update is lost, each number has one writer. */
async function countUp(): Promise<void> {
  for (let time = 0; time < times; time++) {
    const answer = await insist((ifMatch, { name }) => rename(`${Number(name) + 1}`, ifMatch));
    expect(answer.status).toBe(200);
  }
}

/** @returns since when it was in which room, as it was told */
async function moveAbout(): Promise<object[]> {
  const moves: object[] = [];
  for (let time = 0; time < times; time++) {
    const room = time % 2 === 0 ? 'a' : 'b';
    const answer = await insist((ifMatch) =>
      move(registry, 'contended', 'home', { room, ifMatch }),
    );
    expect(answer.status).toBe(200);
    moves.push(answer.body as object);
  }
  return moves;
}

it('loses no update of two writers with If-Match, and records every move once', async () => {
  await registry.put(aDevice({ id: 'contended', name: '0' }));
  const [moves] = await Promise.all([moveAbout(), countUp()]);
  const { body } = await registry.ask(address);
  expect(body).toMatchObject({ name: String(times), version: 1 + 2 * times });
  const [there] = itemsOf(await walk(registry, '/v1/places/home/devices'));
  expect(there).toMatchObject({ device: 'contended', room: 'b', name: String(times) });
  const history = itemsOf(await walk(registry, `${address}/placements`, { limit: '1000' }));
  expect(history.map(({ place, room, since }) => ({ place, room, since }))).toEqual(
    moves.toReversed(),
  );
  // Each ended when the next began.
  expect(history.slice(1).map(({ until }) => until)).toEqual(
    history.slice(0, -1).map(({ since }) => since),
  );
});
