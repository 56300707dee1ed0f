import { Problem } from '@engawa/errors';
import { resumeThrottled } from './resume-throttled.ts';
import type { FoundLetter } from './dead-letters.ts';
import type { ResumeOptions } from './resume-throttled.ts';

const headOf = (id: string) => ({
  ...{ id, reason: 'throttled' as const, detail: '', topic: id, receivedAt: 0 },
  ...{ properties: {}, bytes: 0, parts: 1 },
});

const foundLetter = (id: string): FoundLetter => ({
  letter: { ...headOf(id), payload: Buffer.alloc(0) },
  shard: 0,
  parts: 1,
});

/** Letters of which each question fails once, as of a table that is throttled. */
class Letters {
  readonly there = new Set<string>();
  readonly failed = new Set<string>();
  failure: () => Error = () => new Problem('table-throttled', 'too much');

  readonly letters: ResumeOptions['letters'] = {
    page: async (day) => {
      await this.#failOnce(`page ${day}`);
      const rows = [...this.there].map((id) => {
        return { head: headOf(id), position: { shard: 0, after: id } };
      });
      return { rows: day === new Date().toISOString().slice(0, 10) ? rows : [], next: undefined };
    },
    find: async (id) => {
      await this.#failOnce(`find ${id}`);
      return this.there.has(id) ? foundLetter(id) : undefined;
    },
    remove: async ({ letter }) => {
      await this.#failOnce(`remove ${letter.id}`);
      this.there.delete(letter.id);
    },
  };

  #failOnce(question: string): Promise<void> {
    if (this.failed.has(question)) return Promise.resolve();
    this.failed.add(question);
    return Promise.reject(this.failure());
  }
}

let letters: Letters;
let stored: string[];
const pipeline: ResumeOptions['pipeline'] = {
  replay: (letter) => {
    const refusals = letter.id === 'bad' ? [{ reason: 'bad_field' as const, detail: '' }] : [];
    if (refusals.length === 0) stored.push(letter.id);
    return Promise.resolve({ stored: 1 - refusals.length, refusals });
  },
};
const resume = (signal = new AbortController().signal) =>
  resumeThrottled({ letters: letters.letters, pipeline, signal });

beforeEach(() => {
  letters = new Letters();
  stored = [];
  for (const id of ['a', 'b', 'bad']) letters.there.add(id);
});

it('asks a table that is throttled until it answers, and leaves what is refused', async () => {
  expect(await resume()).toBe(2);
  expect(stored.toSorted()).toEqual(['a', 'b']);
  expect([...letters.there]).toEqual(['bad']);
});

it('ends with what is nobody’s fault but its own, and with the process', async () => {
  letters.failure = () => new TypeError('a defect');
  await expect(resume()).rejects.toThrow('a defect');
  letters = new Letters();
  letters.there.add('a');
  const closing = new AbortController();
  const resuming = resume(closing.signal);
  closing.abort();
  await expect(resuming).rejects.toThrow('abort');
  expect(stored).toEqual([]);
});
