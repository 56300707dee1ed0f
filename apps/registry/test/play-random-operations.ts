import { randomFrom, until } from '@engawa/testing';
import { compareWithModel } from './compare-with-model.ts';
import { purgeJobsOf } from './everything-of.ts';
import { deviceIds, placeIds, RandomOperations, roomIds } from './random-operations.ts';
import { startServiceOnTable } from './start-service-on-table.ts';
import { startTable } from './table.ts';

const workers = 6;

/** Two replicas and six workers; then all purge jobs end, and everything must equal the model. */
export async function playRandomOperations(seed: number, operations: number): Promise<void> {
  const started = await startTable();
  const settings = { PURGE_QUIESCENCE_SECONDS: '1', RATE_LIMIT_PER_MINUTE: '0' };
  const replicas = [
    await startServiceOnTable(started, settings),
    await startServiceOnTable(started, settings),
  ];
  try {
    const { table } = started;
    const played = new RandomOperations({ table, replicas, random: randomFrom(seed) });
    let left = operations;
    const work = async () => {
      while (left-- > 0) await played.one();
    };
    await Promise.all(Array.from({ length: workers }, work));
    await until('no purge job', async () => (await purgeJobsOf(table)).length === 0);
    const ids = { places: placeIds, rooms: roomIds, devices: deviceIds };
    const [replica] = replicas;
    if (replica === undefined) throw new Error('no replica');
    await compareWithModel({ table, replica }, played.model, ids);
    const shown = [...played.answers].toSorted().map(([answer, count]) => `${answer}: ${count}`);
    process.stdout.write(`seed ${seed}: ${shown.join(', ')}\n`);
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
  } finally {
    for (const replica of replicas) await replica.close();
    await started.close();
  }
}
