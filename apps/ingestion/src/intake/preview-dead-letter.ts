import { Rejection } from '../refusals/rejection.ts';
import { refuseAll, toRefusal } from '../refusals/refusal.ts';
import { toIngestResult } from './check-readings.ts';
import { ingestDeadLetter } from './ingest-dead-letter.ts';
import type { DeadLetter, DeviceKind, Reading } from '@engawa/model';
import type { IngestResult } from '../refusals/refusal.ts';
import type { CheckableReadings, CheckedReadings, CheckingCaller } from './check-readings.ts';
import type { Ingest } from './device-readings.ts';
import type { Retention } from './retention.ts';
import type { ReplayOptions } from './ingest-dead-letter.ts';

/** A reading that a replay would store. */
export interface PreviewedReading extends Reading {
  device: string;
}

/** The outcome that a replay would have, unless the table rejects a reading. */
export interface DeadLetterPreview extends IngestResult {
  readings: readonly PreviewedReading[];
}

export interface PreviewOptions extends Omit<ReplayOptions, 'ingest'> {
  check: (
    readings: CheckableReadings,
    caller: CheckingCaller,
  ) => CheckedReadings | Promise<CheckedReadings>;
  retention: Pick<Retention, 'withoutExpired'>;
  /** The kind that the device has, or would have; undefined if it is not admitted. Registers nothing. */
  kindOfDevice: (device: string, first: Reading) => Promise<DeviceKind | undefined>;
}

/** A replay whose readings end before they are packed. Writes nothing. */
export async function previewDeadLetter(
  deadLetter: DeadLetter,
  { check, retention, kindOfDevice, ...options }: PreviewOptions,
): Promise<DeadLetterPreview> {
  const readings: PreviewedReading[] = [];
  const ingest: Ingest = async ({ device, drafts, receivedAt, onChecked }) => {
    const caller = { ...(onChecked !== undefined && { onChecked }) };
    const checked = await check({ drafts, receivedAt }, caller);
    const [first] = checked.readings;
    if (first === undefined) return toIngestResult(checked);
    const kind = await kindOfDevice(device, first);
    if (kind === undefined) {
      const refusal = toRefusal(new Rejection('device-not-registered'));
      return toIngestResult(checked, refuseAll(checked.indexes, refusal));
    }
    const kept = retention.withoutExpired(checked, kind);
    readings.push(...kept.readings.map((reading) => ({ device, ...reading })));
    return toIngestResult(kept);
  };
  return { ...(await ingestDeadLetter(deadLetter, { ...options, ingest })), readings };
}
