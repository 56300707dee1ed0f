import { id, KeyError } from '@engawa/keys';
import { parseExactJson } from '@engawa/model';
import { Problem } from '@engawa/errors';
import { nativeDrafts } from './decoders/native.ts';
import { toRefusal } from './refusal.ts';
import { Rejection } from './rejection.ts';
import type { Draft } from './decoders/decoder.ts';
import type { Semaphore } from './semaphore.ts';
import type { Intake } from './intake.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { Refusal, Verdict } from './refusal.ts';
import { sendAgain } from './table-patience.ts';
import type { Piece } from './split-json.ts';
import type { TablePatience } from './table-patience.ts';

/** What became of a body's readings. */
export interface UploadReport {
  stored: number;
  refusedCount: number;
  /** The first thousand of them. */
  refused: Refusal[];
}

export interface ReadingsUploadOptions {
  intake: Intake;
  budget: Semaphore;
  patience: TablePatience;
  metrics: IngestionMetrics;
  signal: AbortSignal;
  /** Of this device are all readings; without it, each says its own. */
  device: string | undefined;
}

interface Entry {
  index: number;
  device: string;
  draft: Draft;
}

/** Readings and bytes that are handed in at once, so that those of one device can share blocks. */
const batchReadings = 500;
const batchBytes = 1024 * 1024;
const mostRefusals = 1000;

/** The readings of one request. Handed in batch by batch, and as many batches at once as the budget has room for. */
export class ReadingsUpload {
  readonly #options: ReadingsUploadOptions;
  readonly #receivedAt = Date.now();
  readonly #refused: Refusal[] = [];
  readonly #running: Promise<void>[] = [];
  #batch: Entry[] = [];
  #bytes = 0;
  #stored = 0;
  #refusedCount = 0;

  constructor(options: ReadingsUploadOptions) {
    this.#options = options;
  }

  /** Waits while there is no room for more. */
  async add({ index, bytes }: Piece): Promise<void> {
    try {
      this.#batch.push({ index, ...readEntry(bytes, this.#options.device) });
      this.#bytes += bytes?.length ?? 0;
    } catch (error) {
      this.#refuse([{ ...toRefusal(error), index }]);
    }
    if (this.#batch.length >= batchReadings || this.#bytes >= batchBytes) await this.#handIn();
  }

  /** Resolves when everything is durable or refused. */
  async finish(): Promise<UploadReport> {
    await this.#handIn();
    for (const batch of this.#running) await this.#options.patience.wait(batch);
    return {
      stored: this.#stored,
      refusedCount: this.#refusedCount,
      refused: this.#refused.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    };
  }

  async #handIn(): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    const release = await this.#options.patience.acquire(this.#options.budget, batch.length);
    const running = this.#take(batch).finally(release);
    running.catch(() => undefined); // the request may end before it comes to wait for this one
    this.#running.push(running);
  }

  async #take(batch: readonly Entry[]): Promise<void> {
    const deliveries = Array.from(
      Map.groupBy(batch, ({ device }) => device),
      async ([device, entries]) => {
        const drafts = entries.map(({ draft }) => draft);
        const verdict = await this.#options.intake.take({
          device,
          drafts,
          receivedAt: this.#receivedAt,
          gathered: true,
        });
        this.#note(verdict, entries);
      },
    );
    // The room is given back only when nothing of the batch is under way any more.
    const settled = await Promise.allSettled(deliveries);
    const failed = settled.find((delivery) => delivery.status === 'rejected');
    if (failed === undefined) return;
    throw new Problem('table-unavailable', `The service is closing. ${sendAgain}`, {
      cause: failed.reason,
    });
  }

  #note({ stored, refusals }: Verdict, entries: readonly Entry[]): void {
    this.#stored += stored;
    this.#options.metrics.httpReadings({ stored, refused: 0 });
    const named = refusals.map((refusal) => {
      const entry = entries[refusal.index ?? -1];
      return entry === undefined ? refusal : { ...refusal, index: entry.index };
    });
    this.#refuse(named);
  }

  #refuse(refusals: readonly Refusal[]): void {
    this.#refusedCount += refusals.length;
    this.#refused.push(...refusals.slice(0, mostRefusals - this.#refused.length));
    this.#options.metrics.httpReadings({ stored: 0, refused: refusals.length });
  }
}

/** @throws Rejection saying why nothing can be made of it */
function readEntry(bytes: Buffer | undefined, device: string | undefined): Omit<Entry, 'index'> {
  const value = readJson(bytes);
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
