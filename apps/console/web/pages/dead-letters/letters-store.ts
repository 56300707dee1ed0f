import { batch, signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { LetterJob } from './letter-job.ts';
import { lastDays } from './model.ts';
import type { JobKind } from './letter-job.ts';
import type { ListedLetter } from './model.ts';

export type Loading =
  | { kind: 'loading'; daysRead: number; days: number }
  /** `isCut`: there are more dead letters than are loaded. */
  | { kind: 'ready'; isCut: boolean }
  | { kind: 'failed'; error: unknown };

/** Bounds the memory of the page. */
const maxLetters = 5000;
/** The maximum of the service. */
const pageItems = 1000;

/** The dead letters of some days, the selection, and a job that replays or discards them. */
export class LettersStore {
  readonly letters = signal<readonly ListedLetter[]>([]);
  readonly loading = signal<Loading>({ kind: 'loading', daysRead: 0, days: 0 });
  readonly selected = signal<ReadonlySet<string>>(new Set());
  readonly job = signal<LetterJob | undefined>(undefined);
  /** Dead letters that this page has replayed or discarded. */
  readonly ended = signal<ReadonlySet<string>>(new Set());
  #current: AbortController | undefined;

  /** Loads the last days, the newest first, and shows each as soon as it is there. */
  async load(days: number): Promise<void> {
    this.#current?.abort();
    const own = (this.#current = new AbortController());
    const found: ListedLetter[] = [];
    this.loading.value = { kind: 'loading', daysRead: 0, days };
    try {
      for (const [index, day] of lastDays(days, Date.now()).entries()) {
        const isWhole = await readDay(day, found, own.signal);
        if (own.signal.aborted) return;
        // A reload keeps what is shown until all is read.
        const isFirst = this.letters.peek().length < found.length;
        if (isFirst) this.letters.value = [...found];
        this.loading.value = { kind: 'loading', daysRead: index + 1, days };
        if (!isWhole) {
          this.#finish(found, true);
          return;
        }
      }
      this.#finish(found, false);
    } catch (error) {
      if (!own.signal.aborted) this.loading.value = { kind: 'failed', error };
    }
  }

  close(): void {
    this.#current?.abort();
    this.job.peek()?.stop();
  }

  /** Selects dead letters, or removes them from the selection. */
  select(ids: readonly string[], isSelected: boolean): void {
    const next = new Set(this.selected.peek());
    for (const id of ids) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    this.selected.value = next;
  }

  /** Replays or discards dead letters. A remaining one shows its current reason. */
  async run(kind: JobKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0 || this.job.peek()?.isRunning === true) return;
    const job = new LetterJob(kind, ids);
    this.job.value = job;
    await job.run({
      onEnded: (ended) => this.#remove(new Set(ended)),
      onStayed: (stayed) => {
        const why = new Map(stayed.map((one) => [one.id, one]));
        this.letters.value = this.letters.peek().map((letter) => {
          const { reason, detail, detailCode } = why.get(letter.id) ?? letter;
          return { ...letter, reason, detail, detailCode };
        });
      },
    });
  }

  #remove(ids: ReadonlySet<string>): void {
    batch(() => {
      this.letters.value = this.letters.peek().filter(({ id }) => !ids.has(id));
      this.select([...ids], false);
      this.ended.value = new Set([...this.ended.peek(), ...ids]);
    });
  }

  #finish(letters: readonly ListedLetter[], isCut: boolean): void {
    const known = new Set(letters.map(({ id }) => id));
    batch(() => {
      this.letters.value = letters;
      this.selected.value = new Set([...this.selected.peek()].filter((id) => known.has(id)));
      this.loading.value = { kind: 'ready', isCut };
    });
  }
}

/** Adds the dead letters of a day. @returns whether they are all there */
async function readDay(day: string, found: ListedLetter[], signal: AbortSignal): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const { body } = await api.ingestion.listDeadLetters(
      { day, limit: pageItems, cursor },
      { signal },
    );
    found.push(...body.items);
    cursor = body.cursor;
    if (found.length >= maxLetters) return cursor === undefined;
  } while (cursor !== undefined && !signal.aborted);
  return true;
}
