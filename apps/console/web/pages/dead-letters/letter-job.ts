import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import type { ingestion } from '@engawa/client';

export type JobKind = 'replay' | 'discard';
export type Stayed = ingestion.ReplayDeadLettersOutput['stayed'][number];

export interface JobProgress {
  state: 'running' | 'stopped' | 'finished' | 'failed';
  /** Dead letters that are done, with any outcome. */
  done: number;
  /** Replayed or discarded. */
  ended: number;
  /** Dead letters that another user, or their age, has removed meanwhile. */
  missing: number;
  /** Readings that are stored by the replay. */
  readings: number;
  /** Dead letters that still cannot be stored. */
  stayed: readonly Stayed[];
  error?: unknown;
}

export interface JobEvents {
  onEnded: (ids: readonly string[]) => void;
  onStayed: (stayed: readonly Stayed[]) => void;
}

/** Dead letters of one request: few, so that the progress moves and the job can be stopped. */
const chunkSize = 20;

/** Replays or discards dead letters in small requests. */
export class LetterJob {
  readonly kind: JobKind;
  readonly total: number;
  readonly progress = signal<JobProgress>({
    ...{ state: 'running', done: 0, ended: 0, missing: 0, readings: 0 },
    stayed: [],
  });
  readonly #ids: readonly string[];
  #isStopped = false;

  constructor(kind: JobKind, ids: readonly string[]) {
    this.kind = kind;
    this.#ids = ids;
    this.total = ids.length;
  }

  get isRunning(): boolean {
    return this.progress.peek().state === 'running';
  }

  /** The request that is under way is finished. */
  stop(): void {
    this.#isStopped = true;
  }

  /** It does not reject: the progress has the error. */
  async run(events: JobEvents): Promise<void> {
    try {
      for (let at = 0; at < this.#ids.length && !this.#isStopped; at += chunkSize) {
        await this.#runChunk(this.#ids.slice(at, at + chunkSize), events);
      }
      this.#change({ state: this.progress.peek().done < this.total ? 'stopped' : 'finished' });
    } catch (error) {
      this.#change({ state: 'failed', error });
    }
  }

  async #runChunk(ids: readonly string[], events: JobEvents): Promise<void> {
    const stayed: Stayed[] = [];
    let cursor: string | undefined;
    do {
      const body = { ids: [...ids], cursor };
      if (this.kind === 'replay') {
        const { body: answer } = await api.ingestion.replayDeadLetters({ body });
        stayed.push(...answer.stayed);
        this.#add(answer.replayed, answer.missing, answer.stored);
        cursor = answer.cursor;
      } else {
        const { body: answer } = await api.ingestion.discardDeadLetters({ body });
        this.#add(answer.discarded, answer.missing, 0);
        cursor = answer.cursor;
      }
    } while (cursor !== undefined);
    const stayedIds = new Set(stayed.map(({ id }) => id));
    const { done, stayed: before } = this.progress.peek();
    this.#change({ done: done + ids.length, stayed: [...before, ...stayed] });
    events.onEnded(ids.filter((id) => !stayedIds.has(id)));
    events.onStayed(stayed);
  }

  #add(ended: number, missing: number, readings: number): void {
    const before = this.progress.peek();
    this.#change({
      ended: before.ended + ended,
      missing: before.missing + missing,
      readings: before.readings + readings,
    });
  }

  #change(changes: Partial<JobProgress>): void {
    this.progress.value = { ...this.progress.peek(), ...changes };
  }
}
