import { join } from 'node:path';
import { startWithHeap } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { startTable } from './table.ts';

/** Megabytes: half of the memory limit, as in the chart. */
const heap = 256;
const requests = 24;
const entities = 60;
const maxBytes = 1_000_000;

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** A catalog in a process of its own, with large entities. */
async function startLarge() {
  const started = await startTable();
  closers.push(() => started.close());
  const writer = await catalogOn(started, quiet);
  const types = {
    Scan: {
      attributes: [
        { name: 'title', kind: 'text' },
        { name: 'text', kind: 'text' },
      ],
      searches: [{ name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] }],
    },
  };
  await declare(writer, types);
  for (let index = 0; index < entities; index++) {
    const attributes = { title: `scan ${index}`, text: 'page '.repeat(60_000) };
    await make(writer, ['Scan', `scan${index}`, { attributes }]);
  }
  await writer.close();
  const main = join(__dirname, '../src/main.ts');
  const environment = { ...started.environment, ...quiet };
  const service = await startWithHeap({ main, heap, environment });
  closers.push(() => service.close());
  return service;
}

it('many pages of the largest entities at a time do not exceed the heap of the chart', async () => {
  const { api, isRunning } = await startLarge();
  const url = `${api}/v1/search/Scan/byTitle?whole=true&limit=1000`;
  const answers = await Promise.all(
    Array.from({ length: requests }, async () => {
      const answer = await fetch(url);
      return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
    }),
  ).catch((error: unknown) => [{ status: String(error), bytes: 0 }]);
  expect(isRunning()).toBe(true);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { bytes } of answers) expect(bytes).toBeLessThan(maxBytes + 1000);
});
