import { repairEvents } from './devices/bookkeeping/event-repair.ts';
import { replicaName } from './intake/sessions.ts';
import { adoptParkedBlocks } from './storing/parking/adopt-parked-blocks.ts';
import type { ServiceContext } from '@engawa/service';
import type { OpenTable } from '@engawa/table';
import type { IngestPipeline } from './build-pipeline.ts';
import type { Config } from './config.ts';
import type { Decoder } from './decoders/decoder.ts';
import type { IngestionMetrics } from './metrics.ts';

/**
 * Reads the list of devices. Then processes in the background the unfinished work of former processes: events that
 * placements do not show yet, and parked blocks. Registers the steps of closing.
 */
export async function startPipeline(
  context: ServiceContext<Config>,
  { deadLetters, oldestMessage, writer, ...parts }: IngestPipeline & TableAndMetrics,
): Promise<void> {
  const { readiness, onClose } = context;
  onClose('writer', () => writer.close());
  await startDevices(context, parts);
  startParking(context, parts);
  // Readiness reports when the oldest message does not become durable; readings over HTTP are accepted meanwhile.
  readiness.require(
    'progress',
    () => deadLetters.missing() ?? oldestMessage.blockedReason(),
    'never',
  );
}

interface TableAndMetrics {
  decoders: readonly Decoder[];
  opened: OpenTable;
  metrics: IngestionMetrics;
}

/** On closing, writes the pending bookkeeping. */
async function startDevices(
  { config, log, signal, onClose }: ServiceContext<Config>,
  {
    decoders,
    devices,
    placements,
    opened: { table, shards },
  }: Pick<IngestPipeline, 'devices' | 'placements'> & TableAndMetrics,
): Promise<void> {
  onClose('bookkeeping', async () => {
    const timeout = AbortSignal.timeout(config.SHUTDOWN_TIMEOUT_MS / 8);
    await Promise.all([placements.close(timeout), devices.close(timeout)]);
  });
  shards.watchTable((forMs) => {
    devices.tableReplaced(forMs);
    for (const { decode } of decoders) decode.tableReplaced?.();
  });
  await devices.load();
  const show = placements.show.bind(placements);
  repairEvents(devices.all(), { table, show, log, signal }).catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'repairing the last events of devices failed');
  });
}

function startParking(
  { config, log, signal, onClose }: ServiceContext<Config>,
  { storing, devices, metrics }: Pick<IngestPipeline, 'storing' | 'devices'> & TableAndMetrics,
): void {
  const { parking, parkedBlocks, queues } = storing;
  onClose('parking', () => parking.close());
  const adoption = adoptParkedBlocks({
    ...{ blocks: parkedBlocks, parking, queues, devices, metrics: metrics.parking },
    replica: replicaName(config),
    log,
    signal,
  });
  onClose('parked blocks', () => adoption);
}
