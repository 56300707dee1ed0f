import { setImmediate as breathe } from 'node:timers/promises';
import { compareBytes, decodeTuple, encodeTuple, tuplePrefix } from '@engawa/keys';
import MiniSearch from 'minisearch';
import { wordsOf } from './words.ts';
import type { TextRow } from '@engawa/model';
import type { FoundEntity, TextQuestion, TextWriter } from './text-index.ts';
import type { AskedWord } from './words.ts';

interface Texts {
  key: string;
  text: string;
}

/** UTF-16 units of an entity's texts that are looked into: what more there is would take other questions' time. */
const longestText = 65_536;
/** Milliseconds of work after which others get their turn. */
const longestTurnMs = 10;

/** Words in the memory of this process: about a kilobyte for an entity of twenty words. */
export class WordIndex implements TextWriter {
  // All texts of an entity as one: a field for each attribute would need to know them all beforehand.
  readonly #entities = new MiniSearch<Texts>({
    fields: ['text'],
    idField: 'key',
    tokenize: wordsOf,
    processTerm: (word) => word,
  });

  get documents(): number {
    return this.#entities.documentCount;
  }

  async apply(changes: readonly TextRow[]): Promise<void> {
    let turnEnds = performance.now() + longestTurnMs;
    for (const change of changes) {
      this.#applyOne(change);
      if (performance.now() < turnEnds) continue;
      await breathe();
      turnEnds = performance.now() + longestTurnMs;
    }
  }

  search({ words, lenient, types, limit }: Omit<TextQuestion, 'signal'>): FoundEntity[] {
    const prefixes = types.map((type) => tuplePrefix([type]));
    let found: Map<string, number> | undefined;
    // The longest first: the fewer it leaves, the less there is to look into for the others.
    for (const word of words.toSorted(byWeight)) {
      const before = found;
      const counts = (key: string) =>
        before === undefined
          ? prefixes.length === 0 || prefixes.some((prefix) => key.startsWith(prefix))
          : before.has(key);
      found = new Map(
        this.#having(word, { lenient, counts }).map(
          ([key, score]) => [key, score + (before?.get(key) ?? 0)] as const,
        ),
      );
      if (found.size === 0) return [];
    }
    return best(found ?? new Map<string, number>(), limit);
  }

  #having(
    { text, prefix, mayDiffer }: AskedWord,
    { lenient, counts }: { lenient: boolean; counts: (key: string) => boolean },
  ): [string, number][] {
    const hits = this.#entities.search(text, {
      tokenize: (word) => [word],
      prefix,
      fuzzy: lenient && mayDiffer ? 1 : false,
      // An entity that counts for nothing is passed over before anything is made of it.
      boostDocument: (key: string) => (counts(key) ? 1 : 0),
    });
    return hits.map(({ id, score }) => [id as string, score]);
  }

  #applyOne({ entity, texts }: TextRow): void {
    const key = encodeTuple([entity.type, entity.id]);
    if (texts !== undefined && texts.size > 0) {
      const text = [...texts.values()].join('\n').slice(0, longestText);
      if (this.#entities.has(key)) this.#entities.replace({ key, text });
      else this.#entities.add({ key, text });
    } else if (this.#entities.has(key)) {
      this.#entities.discard(key);
    }
  }
}

function byWeight(left: AskedWord, right: AskedWord): number {
  return right.text.length - left.text.length || Number(left.prefix) - Number(right.prefix);
}

function best(found: ReadonlyMap<string, number>, limit: number): FoundEntity[] {
  return (
    [...found]
      // What lies behind these digits depends on the order in which entities came.
      .map(([key, score]) => ({ key, score: Math.round(score * 1000) / 1000 }))
      .sort((left, right) => right.score - left.score || compareBytes(left.key, right.key))
      .slice(0, limit)
      .map(({ key, score }) => {
        const [type = '', id = ''] = decodeTuple(key);
        return { entity: { type, id }, score };
      })
  );
}
