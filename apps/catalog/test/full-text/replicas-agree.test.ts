import { someOrAll } from '@engawa/testing';
import fc from 'fast-check';
import { startTable } from '../table.ts';
import {
  anyQuestion,
  declareRich,
  manyEntities,
  storeRich,
  untilFollowed,
} from './rich-at-random.ts';
import { startReplica, untilLoaded } from './replica.ts';
import { parametersOf } from './rich-oracle.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

/** Determines entities and questions, so that a failure can be repeated. */
const seed = 20_261_129;
const questions = someOrAll(40, 500);

/** Texts of which full text indexes a part: 30,000 to 60,000 characters each. */
const longText = fc
  .array(fc.integer({ min: 0, max: 999 }), { minLength: 6000, maxLength: 12_000, size: 'max' })
  .map((words) => words.map((word) => `w${word}`).join(' '));
const page = fc.record({
  title: fc.constantFrom('w1 lamp', 'hall'),
  body: longText,
  notes: longText,
});
const pageType = {
  attributes: ['title', 'body', 'notes'].map((name) => ({ name, kind: 'text' })),
  fullText: ['notes', 'title', 'body'],
};

type Parameters = readonly (readonly [string, string])[];
const anySearch: fc.Arbitrary<Parameters> = fc.oneof(
  anyQuestion.map((question): Parameters => [...parametersOf(question)]),
  fc.integer({ min: 0, max: 999 }).map((word): Parameters => [['q', `w${word}`]]),
);

describe('two replicas of one table', () => {
  let started: StartedTable;
  let first: Replica;
  let second: Replica;
  beforeAll(async () => {
    started = await startTable();
    [first, second] = [await startReplica(started), await startReplica(started)];
    for (const replica of [first, second]) await untilLoaded(replica);
    await declareRich(first);
    const [entities = []] = fc.sample(manyEntities, { numRuns: 1, seed });
    for (const [index, entity] of entities.entries()) {
      await storeRich(index % 2 === 0 ? first : second, entity);
    }
    await first.ask('/v1/types/Page', { method: 'PUT', body: pageType });
    for (const [index, attributes] of fc.sample(page, { numRuns: 12, seed }).entries()) {
      const body = { attributes };
      await first.ask(`/v1/entities/Page/${index}`, { method: 'PUT', body });
    }
    await untilFollowed([first, second], 'last');
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await started.close();
  });

  /** The hits in their order, their number, and the facets. */
  async function answerOf(replica: Replica, asked: Parameters) {
    const parameters = new URLSearchParams([
      ['total', 'true'],
      ['limit', '1000'],
    ]);
    for (const [name, value] of asked) parameters.append(name, value);
    const { status, body } = await replica.ask(`/v1/search?${parameters.toString()}`);
    const { items, total, facets } = body as Record<string, unknown>;
    return { status, items, total, facets };
  }

  async function askAll(withSeed: number): Promise<void> {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, async (asked) => {
        const answer = await answerOf(first, asked);
        expect(answer.status).toBe(200);
        expect(await answerOf(second, asked)).toEqual(answer);
        hits += (answer.items as unknown[]).length;
      }),
      { numRuns: questions, seed: withSeed },
    );
    expect(hits).toBeGreaterThan(questions);
  }

  it('answer random full-text questions alike', () => askAll(seed));

  it('also after one of them was started again', async () => {
    await second.close();
    second = await startReplica(started);
    await untilLoaded(second);
    await untilFollowed([first, second], 'again');
    await askAll(seed + 1);
  });
});
