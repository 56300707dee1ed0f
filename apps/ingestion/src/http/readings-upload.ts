import { setImmediate as nextTurn } from 'node:timers/promises';
import { id, KeyError } from '@engawa/keys';
import { parseExactJson } from '@engawa/model';
import { Problem } from '@engawa/errors';
import { trace } from '@opentelemetry/api';
import { itemsOfPage, nativeDrafts } from '../decoders/native.ts';
import { draftsWeight, uploadWeight } from '../intake/memory-weight.ts';
import { toRefusal } from '../refusals/refusal.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Ingest } from '../intake/delivery.ts';
import type { MemoryClaim, MemoryShare } from '../intake/memory-budget.ts';
import type { UploadMetrics } from './upload-metrics.ts';
import type { Refusal, Verdict } from '../refusals/refusal.ts';
import { sendAgain } from './table-timeout.ts';
import type { Piece } from './split-json.ts';
import type { TableTimeout } from './table-timeout.ts';

/** What became of a body's readings. */
export interface UploadReport {
  stored: number;
  refusedCount: number;
  /** The first thousand of them. */
  refused: Refusal[];
}

export interface ReadingsUploadOptions {
  ingest: Ingest;
  /** For their number: what waits to be written waits before what MQTT brings. */
  budget: Semaphore;
  /** For the memory that they take. */
  memory: MemoryShare;
  timeout: TableTimeout;
  metrics: UploadMetrics;
  signal: AbortSignal;
  /** Of this device are all readings; without it, each says its own. */
  device: string | undefined;
}

interface UploadedReading {
  index: number;
  device: string;
  draft: Draft;
}

/** Readings of one device out of a batch, and the place of each in the body. */
interface DeviceReadings {
  device: string;
  drafts: Draft[];
  indexes: number[];
}

/** Readings and bytes that are handed in at once, so that those of one device can share blocks. */
const batchReadings = 500;
const batchBytes = 256 * 1024;
/** Devices of a batch whose readings are handed in in one turn of the event loop. */
const devicesPerTurn = 32;
const maxRefusals = 1000;

/**
 * The readings of one request. Their texts are gathered, and parsed batch by batch once there is room for what becomes of them: as
 * many batches at once as that allows.
 */
export class ReadingsUpload {
  readonly #options: ReadingsUploadOptions;
  readonly #receivedAt = Date.now();
  /** Of the request. */
  readonly #span = trace.getActiveSpan();
  readonly #refused: Refusal[] = [];
  readonly #running: Promise<void>[] = [];
  #batch: Piece[] = [];
  #bytes = 0;
  #stored = 0;
  #refusedCount = 0;

  constructor(options: ReadingsUploadOptions) {
    this.#options = options;
  }

  /** Waits while there is no room for more. */
  async add(piece: Piece): Promise<void> {
    this.#batch.push(piece);
    this.#bytes += piece.bytes?.length ?? 0;
    if (this.#batch.length >= batchReadings || this.#bytes >= batchBytes) await this.#handIn();
  }

  /** Resolves when everything is durable or refused. */
  async finish(): Promise<UploadReport> {
    await this.#handIn();
    for (const batch of this.#running) await this.#options.timeout.wait(batch);
    return {
      stored: this.#stored,
      refusedCount: this.#refusedCount,
      refused: this.#refused.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    };
  }

  async #handIn(): Promise<void> {
    if (this.#batch.length === 0) return;
    const [pieces, bytes] = [this.#batch, this.#bytes];
    this.#batch = [];
    this.#bytes = 0;
    const { budget, memory, timeout } = this.#options;
    const claim = await timeout.acquire(memory, uploadWeight(bytes));
    try {
      const release = await timeout.acquire(budget, pieces.length);
      const running = this.#take(pieces, claim).finally(() => {
        release();
        claim.release();
      });
      running.catch(() => undefined); // the request may end before it comes to wait for this one
      this.#running.push(running);
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  async #take(pieces: Piece[], claim: MemoryClaim): Promise<void> {
    // Neither texts nor drafts are kept until all is stored.
    const groups = this.#parse(pieces.splice(0), claim);
    const deliveries: Promise<void>[] = [];
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      if (deliveries.length % devicesPerTurn === devicesPerTurn - 1) await nextTurn();
      deliveries.push(this.#deliver(group));
    }
    // The room is given back only when nothing of the batch is under way any more.
    const settled = await Promise.allSettled(deliveries);
    const failed = settled.find((delivery) => delivery.status === 'rejected');
    if (failed === undefined) return;
    throw new Problem('table-unavailable', `The service is closing. ${sendAgain}`, {
      cause: failed.reason,
    });
  }

  #parse(pieces: readonly Piece[], claim: MemoryClaim): DeviceReadings[] {
    const entries: UploadedReading[] = [];
    for (const piece of pieces) {
      for (const read of readEntries(piece, this.#options.device)) {
        if ('draft' in read) entries.push(read);
        else this.#refuse([read]);
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

  #deliver({ device, drafts, indexes }: DeviceReadings): Promise<void> {
    const receivedAt = this.#receivedAt;
    const delivery = { device, drafts, receivedAt, gathered: true, span: this.#span };
    const noted = this.#options.ingest(delivery).then((verdict) => this.#note(verdict, indexes));
    noted.catch(() => undefined); // what failed is looked at when all have ended
    return noted;
  }

  #note({ stored, refusals }: Verdict, indexes: readonly number[]): void {
    this.#stored += stored;
    this.#options.metrics.stored(stored);
    const named = refusals.map((refusal) => {
      const index = indexes[refusal.index ?? -1];
      return index === undefined ? refusal : { ...refusal, index };
    });
    this.#refuse(named);
  }

  #refuse(refusals: readonly Refusal[]): void {
    this.#refusedCount += refusals.length;
    this.#refused.push(...refusals.slice(0, maxRefusals - this.#refused.length));
    this.#options.metrics.refused(refusals.length);
  }
}

/** What a piece is: a reading, or a whole page of them as the query service answers it. */
function readEntries(
  { index, bytes }: Piece,
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

/** @throws Rejection saying why nothing can be made of it */
function readEntry(value: unknown, device: string | undefined): Omit<UploadedReading, 'index'> {
  if (device !== undefined) return { device, draft: draftOf(value) };
  const { device: named, ...reading } = Object(value) as Record<string, unknown>;
  if (typeof named !== 'string') {
    throw new Rejection('bad_device', 'the reading does not name its device, nor does ?device=');
  }
  return { device: checkedDevice(named), draft: draftOf(reading) };
}

function readJson(bytes: Buffer | undefined): unknown {
  if (bytes === undefined) throw new Rejection('too_large', 'the reading has more than 1 MB');
  try {
    return parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Rejection('too_deep', 'the reading is nested too deeply to be read');
    }
    throw new Rejection('malformed', `it is not JSON in UTF-8: ${(error as Error).message}`);
  }
}

/** As the native decoder takes it. */
function draftOf(value: unknown): Draft {
  const [draft] = nativeDrafts([value]);
  return draft ?? { time: undefined, fields: {} };
}

function checkedDevice(device: string): string {
  try {
    return id('device', device);
  } catch (error) {
    if (error instanceof KeyError) throw new Rejection('bad_device', error.message);
    throw error;
  }
}
