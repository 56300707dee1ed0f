import { setImmediate as nextTurn } from 'node:timers/promises';
import { id, KeyError } from '@engawa/keys';
import { invariant, Problem } from '@engawa/errors';
import { trace } from '@opentelemetry/api';
import { itemsOfPage, nativeDrafts } from '../decoders/native.ts';
import { isObject } from '../decoders/payload.ts';
import { parseReadingJson } from '../decoders/reading-json.ts';
import { draftsWeight, uploadWeight } from '../intake/memory-weight.ts';
import { toRefusal } from '../refusals/refusal.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Ingest } from '../intake/device-readings.ts';
import type { MemoryClaim, MemoryShare } from '../intake/memory-budget.ts';
import { UploadOutcome } from './upload-outcome.ts';
import type { UploadMetrics } from './upload-metrics.ts';
import type { UploadReport } from './upload-outcome.ts';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';
import { sendAgain } from './table-timeout.ts';
import type { ReadingText } from './split-json.ts';
import type { TableTimeout } from './table-timeout.ts';

export interface ReadingsUploadOptions {
  ingest: Ingest;
  /** Limits the number of readings in flight. */
  readingSlots: Semaphore;
  /** Limits the memory of readings in flight. */
  memory: MemoryShare;
  timeout: TableTimeout;
  metrics: UploadMetrics;
  signal: AbortSignal;
  /** Device of all readings; if undefined, each reading names its own. */
  device: string | undefined;
}

interface UploadedReading {
  index: number;
  device: string;
  draft: Draft;
}

/** Readings of one device in a batch, with their indexes in the body. */
interface UploadedDeviceReadings {
  device: string;
  drafts: Draft[];
  indexes: number[];
}

/** Readings and bytes of a batch, so that readings of one device share blocks. */
const batchReadings = 500;
const batchBytes = 256 * 1024;
/** Devices of a batch whose readings are ingested in one turn of the event loop. */
const devicesPerTurn = 32;

/**
 * The readings of one request. Their texts are collected in batches. A batch is parsed once there is memory for its
 * readings; several batches may be in flight.
 */
export class ReadingsUpload {
  readonly #options: ReadingsUploadOptions;
  readonly #receivedAt = Date.now();
  /** Trace span of the request. */
  readonly #traceSpan = trace.getActiveSpan();
  readonly #outcome: UploadOutcome;
  readonly #running: Promise<void>[] = [];
  #batch: ReadingText[] = [];
  #bytes = 0;

  constructor(options: ReadingsUploadOptions) {
    this.#options = options;
    this.#outcome = new UploadOutcome(options.metrics);
  }

  /** Waits until there is room for a full batch. */
  async add(piece: ReadingText): Promise<void> {
    this.#batch.push(piece);
    this.#bytes += piece.bytes?.length ?? 0;
    if (this.#batch.length >= batchReadings || this.#bytes >= batchBytes) await this.#handIn();
  }

  /** Resolves when everything is durable or refused. */
  async finish(): Promise<UploadReport> {
    await this.#handIn();
    for (const batch of this.#running) await this.#options.timeout.wait(batch);
    return this.#outcome.report;
  }

  async #handIn(): Promise<void> {
    if (this.#batch.length === 0) return;
    const [pieces, bytes] = [this.#batch, this.#bytes];
    this.#batch = [];
    this.#bytes = 0;
    const { readingSlots, memory, timeout } = this.#options;
    const claim = await timeout.acquire(memory, uploadWeight(bytes));
    try {
      const release = await timeout.acquire(readingSlots, pieces.length);
      const running = this.#take(pieces, claim).finally(() => {
        release();
        claim.release();
      });
      running.catch(() => undefined); // the request may end before it awaits this batch
      this.#running.push(running);
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  async #take(pieces: ReadingText[], claim: MemoryClaim): Promise<void> {
    // Texts and drafts are not held until everything is stored.
    const groups = this.#parse(pieces.splice(0), claim);
    const ingesting: Promise<void>[] = [];
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      if (ingesting.length % devicesPerTurn === devicesPerTurn - 1) await nextTurn();
      ingesting.push(this.#ingest(group));
    }
    // The room is released only when nothing of the batch is in flight.
    const settled = await Promise.allSettled(ingesting);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed === undefined) return;
    throw new Problem('service-closing', `The service is closing. ${sendAgain}`, {
      cause: failed.reason,
    });
  }

  #parse(pieces: readonly ReadingText[], claim: MemoryClaim): UploadedDeviceReadings[] {
    const entries: UploadedReading[] = [];
    for (const piece of pieces) {
      for (const read of readEntries(piece, this.#options.device)) {
        if ('draft' in read) entries.push(read);
        else this.#outcome.refuse(read);
      }
    }
    const all = entries.map(({ draft }) => draft);
    claim.resize(draftsWeight(0, all).max);
    const devices = Map.groupBy(entries, ({ device }) => device);
    return Array.from(devices, ([device, own]) => ({
      device,
      drafts: own.map(({ draft }) => draft),
      indexes: own.map(({ index }) => index),
    }));
  }

  #ingest({ device, drafts, indexes }: UploadedDeviceReadings): Promise<void> {
    const receivedAt = this.#receivedAt;
    const how = { isBatched: true, isUploaded: true, traceSpan: this.#traceSpan };
    const readings = { device, drafts, receivedAt, ...how };
    const noted = this.#options.ingest(readings).then((result) => this.#note(result, indexes));
    noted.catch(() => undefined); // failures are handled when all devices have been ingested
    return noted;
  }

  #note({ stored, refusals }: IngestResult, indexes: readonly number[]): void {
    const named = refusals.map((refusal) => {
      if (refusal.index === undefined) return refusal;
      const index = invariant(indexes[refusal.index], 'a refusal names a reading of its upload');
      return { ...refusal, index };
    });
    this.#outcome.add({ stored, refusals: named });
  }
}

/** Reads a piece: a reading, or a page of readings as the query service returns it. */
function readEntries(
  { index, bytes }: ReadingText,
  device: string | undefined,
): (UploadedReading | Refusal)[] {
  const orRefusal = <Result>(at: number, read: () => Result): Result | Refusal => {
    try {
      return read();
    } catch (error) {
      return { ...toRefusal(error), index: at };
    }
  };
  const all = orRefusal(index, () => {
    const value = readJson(bytes);
    return (itemsOfPage(value) ?? [value]).map((reading, place) => {
      const at = index + place;
      return orRefusal(at, () => ({ index: at, ...readEntry(reading, device) }));
    });
  });
  return Array.isArray(all) ? all : [all];
}

/** @throws Rejection when the value is not a reading */
function readEntry(value: unknown, device: string | undefined): Omit<UploadedReading, 'index'> {
  if (device !== undefined) return { device, draft: draftOf(value) };
  if (!isObject(value)) throw draftOf(value).rejection ?? new Rejection('device-missing');
  const { device: named, ...reading } = value;
  if (typeof named !== 'string') {
    throw new Rejection('device-missing');
  }
  return { device: checkedDevice(named), draft: draftOf(reading) };
}

function readJson(bytes: Buffer | undefined): unknown {
  if (bytes === undefined) throw new Rejection('reading-too-long');
  try {
    return parseReadingJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Rejection('reading-too-deep');
    }
    throw new Rejection('reading-not-json', { message: (error as Error).message });
  }
}

/** Reads a draft as the native decoder does. */
function draftOf(value: unknown): Draft {
  const [draft] = nativeDrafts([value]);
  return invariant(draft, 'a value has a draft');
}

function checkedDevice(device: string): string {
  try {
    return id('device', device);
  } catch (error) {
    if (error instanceof KeyError)
      throw new Rejection('device-invalid', { message: error.message });
    throw error;
  }
}
