import { Problem } from '@engawa/errors';
import { WordIndex } from './word-index.ts';
import type { TextRow } from '@engawa/model';
import type { FoundEntity, TextIndex, TextIndexBuild, TextQuestion } from './text-index.ts';
import { TextIndexLost } from './text-index.ts';

/** Each replica has its own, and makes it when it starts. */
export class EmbeddedTextIndex implements TextIndex {
  #words: WordIndex | undefined;

  get documents(): number {
    return this.#words?.documents ?? 0;
  }

  search(question: TextQuestion): Promise<FoundEntity[]> {
    if (this.#words === undefined) {
      const detail = 'The full-text index is still being made from the table.';
      return Promise.reject(new Problem('full-text-unavailable', detail));
    }
    return Promise.resolve(this.#words.search(question));
  }

  async apply(changes: readonly TextRow[]): Promise<void> {
    if (this.#words === undefined) throw new TextIndexLost('it has not been made yet');
    await this.#words.apply(changes);
  }

  isThere(): Promise<boolean> {
    return Promise.resolve(this.#words !== undefined);
  }

  beside(): Promise<TextIndexBuild> {
    const words = new WordIndex();
    return Promise.resolve({
      apply: (changes) => words.apply(changes),
      takePlace: () => {
        this.#words = words;
        return Promise.resolve();
      },
    });
  }
}
