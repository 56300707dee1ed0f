import { andThen } from './concurrency/and-then.ts';
import { toIngestResult } from './intake/check-readings.ts';
import { ingestDecoded } from './intake/ingest-decoded.ts';
import { refuseAll, toRefusal } from './refusals/refusal.ts';
import { Rejection } from './refusals/rejection.ts';
import { addSpanEvent } from './storing/add-span-event.ts';
import { resolveAll } from './storing/parcel.ts';
import { PendingParcel } from './storing/pending-parcel.ts';
import { WriterClosed } from '@engawa/table';
import type { Reading } from '@engawa/model';
import type { DeviceRegister, KnownDevice } from './devices/device-register.ts';
import type { CheckableReadings, CheckedReadings } from './intake/check-readings.ts';
import type { DecodeAttempt } from './intake/decode-attempt.ts';
import type { DeviceReadings } from './intake/device-readings.ts';
import type { IncomingMessages, ReceivedMessage } from './intake/incoming-messages.ts';
import type { MessageOutcome } from './intake/message-metrics.ts';
import type { TracedMessage } from './intake/message-tracer.ts';
import type { IngestResult } from './refusals/refusal.ts';
import type { BlockWriter } from './storing/block-writer.ts';
import type { DeviceQueues } from './storing/device-queues.ts';
import type { Packer } from './storing/packer.ts';
import type { Parcel } from './storing/parcel.ts';
import type { Parking } from './storing/parking/parking.ts';
import type { Projections } from './storing/projections.ts';

/** The parts of the service that perform the steps, in the order of the steps. */
export interface PipelineSteps {
  /** receive, decode, release; and dead letters of refused messages. */
  messages: IncomingMessages;
  check: (received: CheckableReadings) => CheckedReadings | Promise<CheckedReadings>;
  /** admit. */
  devices: Pick<DeviceRegister, 'find' | 'admit'>;
  /** pack. */
  packer: Pick<Packer, 'add'>;
  /** wait. */
  queues: Pick<DeviceQueues, 'add'>;
  parking: Pick<Parking, 'track'>;
  /** write. */
  blocks: Pick<BlockWriter, 'write'>;
  /** project. */
  projections: Pick<Projections, 'project'>;
}

/**
 * The path from a PUBLISH to its PUBACK and the table. Four methods contain the steps in their order. Each has its own
 * unit: a message (`receive`), the readings of one device in it (`ingest`), readings of that device from several
 * messages (`enqueue`), and readings that are written together (`store`). Readings that arrive over HTTP enter at
 * `ingest`.
 */
export class Pipeline {
  readonly #steps: PipelineSteps;

  constructor(steps: PipelineSteps) {
    this.#steps = steps;
  }

  /**
   * receive → decode → ingest → release. The PUBACK leaves with `release`, when everything in the message is durable.
   */
  receive(message: TracedMessage): void {
    const { messages } = this.#steps;
    const received = messages.receive(message);
    andThen(messages.decode(received), (decoded) => this.#ingestMessage(received, decoded)).then(
      (outcome) => messages.release(received, outcome),
      (error: unknown) => messages.abandon(received, error),
    );
  }

  /**
   * check → admit → pack; then `enqueue`. Resolves once each reading is durable or refused. Rejects when the service
   * closes first: then the outcome is unknown. If the device is known, its readings have been packed when this returns,
   * unless checking them takes several turns of the event loop.
   */
  readonly ingest = ({
    drafts,
    receivedAt,
    onChecked,
    ...sender
  }: DeviceReadings): Promise<IngestResult> => {
    const checking = this.#steps.check({ drafts, receivedAt, onChecked });
    return andThen(checking, (checked) => this.#ingestChecked(checked, sender));
  };

  /**
   * wait, until DynamoDB accepts writes of the device's partition keys. After 250 ms the readings are parked, which
   * makes them durable.
   */
  enqueue(device: KnownDevice, parcels: readonly Parcel[]): void {
    const { queues, parking } = this.#steps;
    queues.add(device, parking.track(device, parcels));
  }

  /** write → project → resolve, which ends the wait in `ingest`. Never rejects. */
  async store(device: KnownDevice, parcels: readonly Parcel[]): Promise<void> {
    const { blocks, projections } = this.#steps;
    try {
      const refused = await blocks.write(device, parcels);
      await projections.project(device, parcels);
      resolveAll(parcels, refused);
    } catch (error) {
      if (parcels.length === 1 || error instanceof WriterClosed) {
        for (const parcel of parcels) parcel.fail(error);
        return;
      }
      // BlockWriter does not throw for readings that the table rejects: it bisects their block. Other errors reach this
      // place: a defect, a rejected rollup item, an abort while closing. Each parcel is retried alone, so that parcels
      // without an error of their own are stored.
      for (const parcel of parcels) await this.store(device, [parcel]);
    }
  }

  /** Stores valid readings; a message with refused readings also becomes a dead letter. */
  #ingestMessage(received: ReceivedMessage, decoded: DecodeAttempt): Promise<MessageOutcome> {
    const { messages } = this.#steps;
    addSpanEvent(received.message.traceSpan, 'decoded');
    // Only the Sparkplug decoder needs copies: births, without which no member of the group can decode data messages.
    if (received.message.isCopy === true) return messages.remember(received, decoded);
    if ('refusals' in decoded) return messages.storeDeadLetter(received, decoded.refusals);
    if (decoded.drafts.length === 0) return Promise.resolve('ignored');
    return ingestDecoded(decoded, messages.senderOf(received, decoded.drafts), this.ingest)
      .catch((error: unknown) => ({ refusals: [messages.refusalOf(received, error)] }))
      .then(({ refusals }) =>
        refusals.length === 0 ? 'stored' : messages.storeDeadLetter(received, refusals),
      );
  }

  async #ingestChecked(
    checked: CheckedReadings,
    { device: id, isBatched, traceSpan, onPacked }: Omit<DeviceReadings, keyof CheckableReadings>,
  ): Promise<IngestResult> {
    const { readings, indexes } = checked;
    const [first] = readings;
    if (first === undefined) return toIngestResult(checked);
    const device = this.#steps.devices.find(id) ?? (await this.#admit(id, first));
    if (device instanceof Rejection) {
      return toIngestResult(checked, refuseAll(indexes, toRefusal(device)));
    }
    const parcel = new PendingParcel(readings, indexes, traceSpan);
    this.#steps.packer.add(device, parcel, isBatched);
    onPacked?.();
    return toIngestResult(checked, await parcel.outcome);
  }

  /** Reads the device from the table, or registers it. */
  async #admit(id: string, first: Reading): Promise<KnownDevice | Rejection> {
    try {
      return await this.#steps.devices.admit(id, first);
    } catch (error) {
      if (error instanceof Rejection) return error;
      throw error;
    }
  }
}
