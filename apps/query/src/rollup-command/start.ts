import { OperatorError } from '@engawa/errors';
import { openTable } from '@engawa/table';
import { DeviceSummaries } from '../aggregates/device-summaries.ts';
import { uncachedCorrections } from '../devices/device-store.ts';
import { listDevices } from './list-devices.ts';
import { rollUpDevice } from './roll-up-device.ts';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';

export { settings } from './config.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Interval of progress lines. */
const reportIntervalMs = 2000;

/** Makes the rollups of readings that expire soon, for all devices; then the process exits. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, signal } = context;
  const { table, shards } = openTable(context);
  await table.waitUntilReady(signal);

  const corrections = uncachedCorrections(table);
  const summaries = new DeviceSummaries({ table, corrections, now: Date.now });
  const ahead = config.ROLLUP_AHEAD_HOURS * hourMs;
  let devices = 0;
  let days = 0;
  let notStored = 0;
  let reported = Date.now();
  for await (const device of listDevices({ table, shards, signal })) {
    const options = { table, summaries, ahead, now: Date.now(), signal, log };
    const { rangeMs, failed } = await rollUpDevice(device, options);
    days += rangeMs / dayMs;
    devices += 1;
    notStored += failed;
    signal.throwIfAborted();
    if (Date.now() - reported > reportIntervalMs) {
      log.info({ devices, days }, 'computing rollups of expiring readings');
      reported = Date.now();
    }
  }
  if (notStored > 0) throw new OperatorError(messageOf(notStored));
  log.info({ devices, days }, 'rollups of expiring readings completed');
}

function messageOf(notStored: number): string {
  return (
    `${notStored} rollups could not be stored, and their readings expire soon; the log names the devices and the ` +
    'reasons. Run the command again once the cause has ended, or raise RETENTION_DAYS'
  );
}
