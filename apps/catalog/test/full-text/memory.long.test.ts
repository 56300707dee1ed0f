import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startChild } from './child-replica.ts';
import { putTexts } from './many-texts.ts';

const texts = 20_000;
/** Megabytes of heap; the service needs about 30 without texts. */
const heapMb = 56;

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

it('texts larger than the heap are indexed and found while entities are served', async () => {
  const started = await startTable();
  closers.push(() => started.close());
  await putTexts(started, texts);
  const replica = await startChild(started, { heapMb });
  closers.push(() => replica.kill('SIGTERM'));
  const search = (q: string) =>
    fetch(`${replica.api}/v1/search?q=${encodeURIComponent(q)}`).catch(() => undefined);
  const isBuilt = async () => (await search('居間'))?.status === 200;
  await until('the index to be built', async () => replica.ended() !== undefined || isBuilt());
  expect(replica.ended()).toBeUndefined();
  expect(await replica.metric('engawa_full_text_documents')).toBe(texts);
  const answer = (await (await search('n19999'))?.json()) as { items: { id: string }[] };
  expect(answer.items.map(({ id }) => id)).toEqual(['n19999']);
  const types = await fetch(`${replica.api}/v1/types`);
  expect(types.status).toBe(200);
});
