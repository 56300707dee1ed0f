import { scaled, until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startChild } from './child-replica.ts';
import { putTexts } from './many-texts.ts';

/** ADR 0059 measures 150,000: TEST_SCALE=2. */
const texts = scaled(75_000);
/** Heap of Node.js within the chart's limit of 512 Mi. */
const heapMb = 256;
const limitBytes = 512 * 1024 * 1024;
const searches = [
  'lamp',
  'x',
  '居 間 寝 室',
  '居間と寝室',
  'n74999',
  'sensor kitchen hall',
  'dimmible',
];

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

it(`${texts} texts are indexed and searched within the memory of the chart`, async () => {
  const started = await startTable();
  closers.push(() => started.close());
  await putTexts(started, texts);
  const replica = await startChild(started, { heapMb });
  closers.push(() => replica.kill('SIGTERM'));
  const search = (q: string) => fetch(`${replica.api}/v1/search?q=${encodeURIComponent(q)}`);
  let maxRss = 0;
  const poll = async () => {
    maxRss = Math.max(maxRss, await replica.metric('process_resident_memory_bytes'));
    return (await search('!')).status === 200;
  };
  // Entities are read and written while the index is built.
  const type = { attributes: [{ name: 'name', kind: 'text' }] };
  const put = (path: string, body: object) =>
    fetch(`${replica.api}/v1/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await put('types/Thing', type)).status).toBe(201);
  expect((await put('entities/Thing/a', { attributes: { name: 'a' } })).status).toBe(201);
  expect((await search('lamp')).status).toBe(503);
  await until('the index to be built', async () => replica.ended() !== undefined || poll(), {
    progress: () => replica.metric('engawa_full_text_changes_total'),
  });
  expect(replica.ended()).toBeUndefined();
  expect(await replica.metric('engawa_full_text_documents')).toBe(texts);

  const times: Record<string, string> = {};
  for (const q of searches) {
    const began = performance.now();
    const answer = await search(q);
    times[q] = `${(performance.now() - began).toFixed(0)} ms, ${answer.status}`;
    await poll();
  }
  expect(maxRss).toBeLessThan(limitBytes);
  // Probes are answered during a search of all texts.
  const state = { isAnswered: false };
  let probes = 0;
  const slow = search('居 間 寝 室').finally(() => (state.isAnswered = true));
  while (!state.isAnswered) {
    expect(await replica.isAlive()).toBe(true);
    probes++;
  }
  expect((await slow).status).toBe(200);
  expect(probes).toBeGreaterThan(5);
  const measured = {
    texts,
    buildSeconds: await replica.metric('engawa_full_text_rebuild_seconds_sum'),
    indexBytes: await replica.metric('engawa_full_text_bytes'),
    maxRss,
    times,
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
});
