import fc from 'fast-check';
import { startTable } from '../table.ts';
import { describeOnOpenSearch } from './opensearch-engine.ts';
import {
  anyQuestion,
  checkQuestion,
  declareRich,
  manyEntities,
  storeRich,
  untilFollowed,
} from './rich-at-random.ts';
import { startReplica, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';
import type { RichEntity } from './rich-oracle.ts';

/** Creates entities, changes and deletes some of them, and searches after each step. */
async function checkAll(replica: Replica, questions: number): Promise<void> {
  await untilLoaded(replica);
  await declareRich(replica);
  const [first = [], second = []] = fc.sample(manyEntities, 2);
  for (const entity of first) await storeRich(replica, entity);
  await untilFollowed([replica], 'first');
  await askAll(replica, first, questions);
  const names = new Set(second.map(({ type, id }) => `${type} ${id}`));
  const stay = first.filter(({ type, id }) => !names.has(`${type} ${id}`));
  const deleted = stay.splice(0, 10);
  for (const entity of second) await storeRich(replica, entity);
  for (const { type, id } of deleted) {
    await replica.ask(`/v1/entities/${type}/${id}`, { method: 'DELETE' });
  }
  await untilFollowed([replica], 'second');
  await askAll(replica, [...stay, ...second], questions);
}

function askAll(
  replica: Replica,
  entities: readonly RichEntity[],
  questions: number,
): Promise<void> {
  const limit = fc.constantFrom(3, 7, 1000);
  return fc.assert(
    fc.asyncProperty(anyQuestion, limit, async (question, limit) => {
      await checkQuestion(replica, question, { entities, limit });
    }),
    { numRuns: questions },
  );
}

/** Tests of this number of random searches after each step. */
export function testRandomSearches(questions: number): void {
  describe('random searches with filters, order, pages, totals and facets', () => {
    let started: StartedTable;
    let replica: Replica;
    let removeIndexes: () => Promise<void>;
    beforeEach(async () => {
      started = await startTable();
      removeIndexes = () => Promise.resolve();
    });
    afterEach(async () => {
      await replica.close();
      await removeIndexes();
      await started.close();
    });

    it('return the same as an in-memory oracle', async () => {
      replica = await startReplica(started);
      await checkAll(replica, questions);
    });

    describeOnOpenSearch('in a real OpenSearch', (engine) => {
      it('return the same as an in-memory oracle', async () => {
        removeIndexes = () => engine.removeIndexes();
        const environment = { SEARCH_URL: engine.url, SEARCH_INDEX_PREFIX: engine.prefix };
        replica = await startReplica(started, environment);
        await checkAll(replica, questions);
      });
    });
  });
}
