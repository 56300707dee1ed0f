import { createClient } from '../src/index.ts';
import { ScriptedServer, breaksOff, says } from './scripted-server.ts';
import { Artist } from './music.ts';

let server: ScriptedServer;
beforeAll(async () => (server = await ScriptedServer.start()));
afterAll(() => server.close());

const artists = () => createClient({ url: server.url }).entities(Artist);
const answer = (created: number, errors: object[] = []) =>
  says(200, { entities: { created, existing: 0 }, failed: errors.length, errors });
const bowie = { attributes: { name: 'Bowie' } };

it('retries a batch after a broken connection, since its entities are found by their ids', async () => {
  server.will(breaksOff, answer(1));
  expect((await artists().createAll([{ id: '1', ...bowie }])).created).toBe(1);
  expect(server.seen.map(({ url, body }) => [url, body])).toEqual(
    Array.from({ length: 2 }, () => [
      '/v1/entities?existing=keep',
      '[{"id":"1","attributes":{"name":"Bowie"},"type":"Artist"}]',
    ]),
  );
});

it('does not retry a batch with an entity without id, which could be created twice', async () => {
  server.will(breaksOff, answer(1));
  await expect(artists().createAll([{ id: '1', ...bowie }, bowie])).rejects.toThrow('fetch failed');
  expect(server.seen).toHaveLength(1);
});

it('consumes its source batch by batch', async () => {
  const wrong = { line: 2, message: 'wrong' };
  server.will(answer(1, [wrong]), answer(0, [{ ...wrong, line: 1 }]));
  const sent: number[] = [];
  function* source() {
    for (let index = 0; index < 3; index++) {
      sent.push(server.seen.length);
      yield bowie;
    }
  }
  expect(await artists().createAll(source(), { batchSize: 2 })).toMatchObject({
    ...{ created: 1, failed: 2 },
    errors: [{ line: 2 }, { line: 3 }],
  });
  expect(sent).toEqual([0, 0, 1]);
});
