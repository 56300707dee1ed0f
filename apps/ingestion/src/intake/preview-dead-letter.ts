import { Rejection } from '../refusals/rejection.ts';
import { refuseAll, toRefusal } from '../refusals/refusal.ts';
import { toIngestResult } from './check-readings.ts';
import { ingestDeadLetter } from './ingest-dead-letter.ts';
import type { DeadLetter, Reading } from '@engawa/model';
import type { IngestResult } from '../refusals/refusal.ts';
import type { CheckableReadings, CheckedReadings, CheckingCaller } from './check-readings.ts';
import type { Ingest } from './device-readings.ts';
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
  /** Whether readings of the device would be stored. Registers nothing. */
  isAdmitted: (device: string) => Promise<boolean>;
}

/** A replay whose readings end before they are packed. Writes nothing. */
export async function previewDeadLetter(
  deadLetter: DeadLetter,
  { check, isAdmitted, ...options }: PreviewOptions,
): Promise<DeadLetterPreview> {
  const readings: PreviewedReading[] = [];
  const ingest: Ingest = async ({ device, drafts, receivedAt, onChecked }) => {
    const caller = { ...(onChecked !== undefined && { onChecked }) };
    const checked = await check({ drafts, receivedAt }, caller);
    if (checked.readings.length > 0 && !(await isAdmitted(device))) {
      const refusal = toRefusal(new Rejection('device-not-registered'));
      return toIngestResult(checked, refuseAll(checked.indexes, refusal));
    }
    readings.push(...checked.readings.map((reading) => ({ device, ...reading })));
    return toIngestResult(checked);
  };
  return { ...(await ingestDeadLetter(deadLetter, { ...options, ingest })), readings };
}
