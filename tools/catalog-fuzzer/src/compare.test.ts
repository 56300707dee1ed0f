import { compare } from './compare.ts';
import { contentOf } from './content.ts';
import { Ledger } from './ledger.ts';
import type { Deletion } from './ledger.ts';
import type { Name } from './types.ts';

const track: Name = { type: 'Track', id: 't' };
const artist: Name = { type: 'Artist', id: 'a' };
const read = { from: 100, to: 110 };

const content = (write: string, from: number, to: number, featuring: string[] = []) =>
  contentOf({ name: 'amber dune', write, relations: { featuring } }, { from, to });

describe('the stored state of an entity', () => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = new Ledger([track, artist]);
  });

  const put = (state: ReturnType<typeof content>, outcome: 'taken' | 'unknown' = 'taken') =>
    ledger.note(track, outcome, () => ({ state }));
  const find = (state: ReturnType<typeof content> | undefined, isQuiet = true) =>
    compare(ledger.of(track), { state, score: undefined }, { ledger, read, isQuiet });
  const remove = (deletion: Deletion) => ledger.of(artist).deletions.push(deletion);

  it('equals the last acknowledged write', () => {
    put(content('1', 1, 2));
    put(content('2', 3, 4));
    expect(find(content('2', 3, 4))).toBeUndefined();
    expect(find(content('1', 1, 2))).toContain('should be of the write 2');
    expect(find(undefined)).toContain('it is missing');
  });

  it('is old or new after a write without a response', () => {
    put(content('1', 1, 2));
    put(content('2', 3, Infinity), 'unknown');
    expect(find(content('1', 1, 2))).toBeUndefined();
    expect(find(content('2', 3, 4))).toBeUndefined();
    expect(find(content('3', 5, 6))).toContain('it should be');
  });

  it('has its relations, except those to deleted entities', () => {
    put(content('1', 10, 20, ['a']));
    expect(find(content('1', 10, 20, ['a']))).toBeUndefined();
    expect(find(content('1', 10, 20))).toContain('a relation is lost');
    expect(find(content('1', 10, 20, ['a', 'b']))).toContain('it was never related');
    remove({ from: 1, to: 5, isDetaching: true });
    expect(find(content('1', 10, 20))).toContain('a relation is lost');
    remove({ from: 30, to: 40, isDetaching: false });
    expect(find(content('1', 10, 20))).toContain('a relation is lost');
    remove({ from: 15, to: 25, isDetaching: false });
    expect(find(content('1', 10, 20))).toBeUndefined();
  });

  it('has no relation to an entity that was deleted later, once all writes are complete', () => {
    put(content('1', 10, 20, ['a']));
    remove({ from: 30, to: 40, isDetaching: true });
    expect(find(content('1', 10, 20))).toBeUndefined();
    expect(find(content('1', 10, 20, ['a']))).toContain('relates to a deleted entity');
    expect(find(content('1', 10, 20, ['a']), false)).toBeUndefined();
  });

  it('has the score of the latest write', () => {
    ledger.note(artist, 'taken', () => ({ state: content('1', 1, 2) }));
    ledger
      .of(artist)
      .scores.push(
        { value: 1, span: { from: 10, to: 20 } },
        { value: 2, span: { from: 15, to: 25 } },
        { value: 3, span: { from: 30, to: 40 } },
        { value: 4, span: { from: 30, to: Infinity } },
      );
    const found = (score: number) =>
      compare(
        ledger.of(artist),
        { state: content('1', 1, 2), score },
        { ledger, read, isQuiet: true },
      );
    expect([1, 2, 5].map(found)).not.toContain(undefined);
    expect([3, 4].map(found)).toEqual([undefined, undefined]);
  });
});
