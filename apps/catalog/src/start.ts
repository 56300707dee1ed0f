import { randomUUID } from 'node:crypto';
import { openHotPartitions } from '@engawa/hot-partitions';
import { CursorCodec, startHttpService, startProbes } from '@engawa/http';
import { openTable } from '@engawa/table';
import { deletionKind } from './entities/delete/deletion-intent.ts';
import { Deletions } from './entities/delete/deletions.ts';
import { detachRelated } from './entities/delete/detach-related.ts';
import { endStagedWrite } from './entities/staged/end-staged-write.ts';
import { EntityStore } from './entities/write/entity-store.ts';
import { stagedWriteKind } from './entities/staged/roll-forward.ts';
import { deleteExpired } from './expiry/delete-expired.ts';
import { expiryKind } from './expiry/expiry-claim.ts';
import { ExpiryMetrics } from './expiry/expiry-metrics.ts';
import { ExpiryWatch } from './expiry/expiry-watch.ts';
import { fullTextTasks, startFullText } from './full-text/full-text.ts';
import { catalogRoutes } from './routes/index.ts';
import { taskRunner } from './tasks/task-runner.ts';
import { Transactions } from './transactions/transactions.ts';
import { buildKind, buildType } from './types/build/build-type.ts';
import { PolledTypes } from './types/known/polled-types.ts';
import { TypeStore } from './types/type-store.ts';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';
import type { DeleteExpiredOptions } from './expiry/delete-expired.ts';
import type { Task, TaskHandler, TaskRunner } from './tasks/task-runner.ts';

export { settings } from './config.ts';

export interface StartOptions {
  /** The wall clock by which entities expire (epoch milliseconds). */
  now?: () => number;
}

/** The composition root: the only place that builds clients and opens ports. */
export async function start(
  context: ServiceContext<Config>,
  { now = Date.now }: StartOptions = {},
): Promise<void> {
  const { config, log, signal, onClose } = context;

  await startProbes(context);

  const { table, shards, watchHeat } = openTable(context);
  const heat = watchHeat();

  const types = new PolledTypes({ table, log, intervalMs: config.TYPE_REFRESH_MS });
  onClose('types', () => types.close());
  const entities = new EntityStore({ table, shards, types, log, now });
  const by = randomUUID();
  const { tasks, watch } = openWork(context, { table, shards, types, entities, by, now });
  await startHttpService(context, {
    title: 'Engawa catalog',
    description:
      'Entities of types that you declare: their relations both ways, searches by attribute, rankings and full text.',
    routes: catalogRoutes({
      table,
      shards,
      types,
      typeStore: new TypeStore({
        table,
        shards,
        types,
        tasks,
        quiescenceMs: config.TYPE_SETTLE_MS,
      }),
      entities,
      deletions: new Deletions({ table, shards, types, entities, tasks, by }),
      transactions: new Transactions({ entities, tasks, types, by }),
      fullText: await startFullText({ context, table, shards }),
      cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
      now,
    }).concat(openHotPartitions(context, heat)),
  });
  // Closed first: running tasks are cancelled, and continue on another replica.
  onClose('tasks', () => tasks.close());
  onClose('expiry', () => watch.close());

  await table.waitUntilReady(signal);
  await types.start();
  await tasks.start();
  watch.start();
}

type WorkOptions = Omit<DeleteExpiredOptions, 'metrics' | 'log' | 'begin'>;

/** Background work: the task runner, and the poll for expired entities. */
function openWork(
  { config, log, registry }: ServiceContext<Config>,
  options: WorkOptions,
): { tasks: TaskRunner; watch: ExpiryWatch } {
  const { table } = options;
  const { TASK_REFRESH_MS: intervalMs, TYPE_SETTLE_MS: quiescenceMs } = config;
  const metrics = new ExpiryMetrics(registry);
  const begin = (task: Task): void => tasks.begin(task);
  const handlers = new Map<string, TaskHandler>([
    [buildKind, buildType({ ...options, quiescenceMs, log })],
    [stagedWriteKind, endStagedWrite({ table })],
    [deletionKind, detachRelated(options)],
    [expiryKind, deleteExpired({ ...options, metrics, log, begin })],
    ...fullTextTasks,
  ]);
  const tasks = taskRunner({ table, log, handlers, intervalMs });
  return { tasks, watch: new ExpiryWatch({ ...options, tasks, log, intervalMs }) };
}
