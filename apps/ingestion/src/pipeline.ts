import { toIngestResult } from './intake/check-readings.ts';
import { whenKnown } from './concurrency/when-known.ts';
import { ingestDecoded, isOfOneDevice } from './intake/ingest-decoded.ts';
import { MessageIngestion } from './intake/message-ingestion.ts';
import { refuseAll, toRefusal } from './refusals/refusal.ts';
import { Rejection } from './refusals/rejection.ts';
import { addSpanEvent } from './storing/add-span-event.ts';
import { lastSentAt, resolveAll } from './storing/parcel.ts';
import { PendingParcel } from './storing/pending-parcel.ts';
import { WriterClosed } from '@engawa/table';
import type { Reading } from '@engawa/model';
import type { DeviceRegister, KnownDevice } from './devices/device-register.ts';
import type { CheckedReadings, CheckingCaller } from './intake/check-readings.ts';
import type { DecodeAttempt } from './intake/decode-attempt.ts';
import type { Decoded } from './decoders/decoder.ts';
import { isReplayed } from './intake/device-readings.ts';
import type { DeviceReadings, SentReadings } from './intake/device-readings.ts';
import type { IngestCaller } from './intake/ingest-caller.ts';
import type { IncomingMessages, UnacknowledgedMessage } from './intake/incoming-messages.ts';
import type { MessageWithSpan } from './intake/message-tracer.ts';
import type { IngestResult } from './refusals/refusal.ts';
import type { BlockWriter } from './storing/block-writer.ts';
import type { DeviceQueues } from './storing/device-queues.ts';
import type { Packer } from './storing/packer.ts';
import type { Parcel, RefusedReading } from './storing/parcel.ts';
import type { Parking } from './storing/parking/parking.ts';
import type { Projections } from './storing/projections.ts';

type CheckedSender = Omit<DeviceReadings, 'drafts'>;

/** The parts of the service that perform the steps, in the order of the steps. */
export interface PipelineSteps {
  /** receive, decode, release; and dead letters of refused messages. */
  messages: IncomingMessages;
  check: (
    received: DeviceReadings,
    caller: CheckingCaller,
  ) => CheckedReadings | Promise<CheckedReadings>;
  checkAtDevice: (checked: CheckedReadings, device: KnownDevice) => CheckedReadings;
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
  receive(message: MessageWithSpan): void {
    const { messages } = this.#steps;
    const received = messages.receive(message);
    const decoded = messages.decode(received);
    if (decoded instanceof Promise) {
      decoded
        .then((late) => this.#ingestMessage(received, late))
        .catch((error: unknown) => messages.abandon(received, error));
    } else this.#ingestMessage(received, decoded);
  }

  /** As `ingestFor`, for readings of other sources. Rejects when the service closes first. */
  readonly ingest = ({ onChecked, onPacked, ...readings }: SentReadings): Promise<IngestResult> =>
    new Promise((resolve, reject) => {
      const optional = { ...(onChecked && { onChecked }), ...(onPacked && { onPacked }) };
      this.#ingestFor({ resolve, reject, ...optional }, readings);
    });

  /**
   * wait, until DynamoDB accepts writes of the device's partition keys. After 250 ms the readings are parked, which
   * makes them durable.
   */
  enqueue(device: KnownDevice, parcels: readonly Parcel[]): void {
    const { queues, parking } = this.#steps;
    queues.add(device, parking.track(device, parcels));
  }

  /**
   * write → project → resolve, which ends the wait in `ingest`.
   * @param onEnd called when nothing of it is in flight
   */
  store(device: KnownDevice, parcels: readonly Parcel[], onEnd: () => void = nothing): void {
    this.#steps.blocks.write(device, parcels, {
      stored: (refused) => this.#project(device, parcels, refused, onEnd),
      failed: (error) => this.#storingFailed(device, parcels, error, onEnd),
    });
  }

  #project(
    device: KnownDevice,
    parcels: readonly Parcel[],
    refused: readonly RefusedReading[],
    onEnd: () => void,
  ): void {
    const end = () => {
      resolveAll(parcels, refused);
      onEnd();
    };
    const projecting = this.#steps.projections.project(device, parcels);
    if (projecting === undefined) end();
    else
      projecting.then(end, (error: unknown) => this.#storingFailed(device, parcels, error, onEnd));
  }

  /**
   * BlockWriter does not fail for readings that the table rejects: it bisects their block. Other errors reach this
   * place: a defect, a rejected rollup item, an abort while closing. Each parcel is retried alone, so that parcels
   * without an error of their own are stored.
   */
  #storingFailed(
    device: KnownDevice,
    parcels: readonly Parcel[],
    error: unknown,
    onEnd: () => void,
  ): void {
    if (parcels.length === 1 || error instanceof WriterClosed) {
      for (const parcel of parcels) parcel.fail(error);
      onEnd();
    } else this.#storeEach(device, parcels, onEnd);
  }

  /** One after the other. */
  #storeEach(device: KnownDevice, [first, ...others]: readonly Parcel[], onEnd: () => void): void {
    if (first === undefined) onEnd();
    else this.store(device, [first], () => this.#storeEach(device, others, onEnd));
  }

  /** Stores valid readings; a message with refused readings also becomes a dead letter. */
  #ingestMessage(received: UnacknowledgedMessage, decoded: DecodeAttempt): void {
    const { messages } = this.#steps;
    addSpanEvent(received.message.traceSpan, 'decoded');
    // Only the Sparkplug decoder needs copies: births, without which no member of the group can decode data messages.
    if (received.message.isCopy === true) {
      messages.releaseAfter(received, messages.remember(received, decoded));
    } else if ('refusals' in decoded) {
      messages.releaseAfter(received, messages.storeDeadLetter(received, decoded.refusals));
    } else if (decoded.drafts.length === 0) {
      messages.releaseWithoutReading(received, decoded);
    } else {
      this.#ingestDecoded(received, decoded);
    }
  }

  #ingestDecoded(received: UnacknowledgedMessage, decoded: Decoded): void {
    const { messages } = this.#steps;
    const { device, drafts, isBatched } = decoded;
    const { message: source } = received;
    const { receivedAt, traceSpan } = source;
    const caller = new MessageIngestion(messages, received);
    messages.weighDrafts(received, drafts);
    if (isOfOneDevice(decoded)) {
      this.#ingestFor(caller, { device, drafts, isBatched, receivedAt, source, traceSpan });
      return;
    }
    const sender = {
      receivedAt,
      source,
      traceSpan,
      onChecked: (readings: readonly Reading[]) => caller.onChecked(readings),
      onPacked: () => caller.onPacked(),
    };
    ingestDecoded(decoded, sender, this.ingest).then(
      (result) => caller.resolve(result),
      (error: unknown) => caller.reject(error),
    );
  }

  /**
   * check → admit → pack; then `enqueue`. The caller is told once each reading is durable or refused, or when the
   * service closes first: then the outcome is unknown. If the device is known, its readings have been packed when this
   * returns, unless checking them takes several turns of the event loop.
   */
  #ingestFor(caller: IngestCaller, received: DeviceReadings): void {
    const checking = this.#steps.check(received, caller);
    whenKnown(
      checking,
      (checked) => this.#ingestChecked(caller, checked, received),
      (error) => caller.reject(error),
    );
  }

  #ingestChecked(caller: IngestCaller, checked: CheckedReadings, sender: CheckedSender): void {
    const [first] = checked.readings;
    if (first === undefined) {
      caller.resolve(toIngestResult(checked));
      return;
    }
    const device = this.#steps.devices.find(sender.device);
    if (device !== undefined) {
      this.#pack(caller, device, checked, sender);
      return;
    }
    this.#admit(sender, first)
      .then((admitted) => {
        if (admitted instanceof Rejection) {
          const refusals = refuseAll(checked.indexes, toRefusal(admitted));
          caller.resolve(toIngestResult(checked, refusals));
        } else this.#pack(caller, admitted, checked, sender);
      })
      .catch((error: unknown) => caller.reject(error));
  }

  #pack(
    caller: IngestCaller,
    device: KnownDevice,
    checked: CheckedReadings,
    sender: CheckedSender,
  ): void {
    const kept = this.#steps.checkAtDevice(checked, device);
    if (kept.readings.length > 0) {
      const parcel = new PendingParcel(kept, sender, caller);
      this.#steps.packer.add(device, parcel, sender.isBatched);
      caller.onPacked?.();
    } else caller.resolve(toIngestResult(kept));
  }

  /** Reads the device from the table, or registers it. */
  async #admit(sender: CheckedSender, first: Reading): Promise<KnownDevice | Rejection> {
    const { device, receivedAt } = sender;
    const parcel = { readings: [first], receivedAt, isReplayed: isReplayed(sender) };
    try {
      return await this.#steps.devices.admit(device, first, lastSentAt([parcel]));
    } catch (error) {
      if (error instanceof Rejection) return error;
      throw error;
    }
  }
}

function nothing(): void {
  return undefined;
}
