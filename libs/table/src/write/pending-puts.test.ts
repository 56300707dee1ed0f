import { idOfKey } from '../items/item-id.ts';
import { pendingPut } from './pending-put.ts';
import { PendingPuts } from './pending-puts.ts';
import type { PendingPut, PutCaller } from './pending-put.ts';

const put = (content: string) => pendingPut({ pk: 'p', sk: 's', content });

let puts: PendingPuts;
/** The outcome of each call, in order. */
let outcomes: string[];

beforeEach(() => {
  puts = new PendingPuts();
  outcomes = [];
});

function add(
  content: string,
  whenThrottled: PutCaller['whenThrottled'] = 'wait',
): PendingPut | undefined {
  return puts.add(put(content), {
    whenThrottled,
    resolve: () => outcomes.push(`${content} stored`),
    reject: (error) => outcomes.push(`${content} ${(error as Error).name}`),
  });
}

/** Adds the first put of the key. */
function first(...call: Parameters<typeof add>): PendingPut {
  const added = add(...call);
  if (added === undefined) throw new Error('it is not the first');
  return added;
}

/** The content of the next put to send. */
const contentOf = (next: PendingPut | undefined) =>
  next && (JSON.parse(next.json) as { content: { S: string } }).content.S;

it('distinguishes keys with the same concatenation', () => {
  expect(idOfKey({ pk: 'a', sk: 'bc' })).not.toBe(idOfKey({ pk: 'ab', sk: 'c' }));
  expect(idOfKey({ pk: '1 a', sk: 'b' })).not.toBe(idOfKey({ pk: '1', sk: ' ab' }));
});

it('joins an equal put only if it is the newest', () => {
  const current = first('one');
  expect(add('one')).toBeUndefined();
  expect(puts.size).toBe(1);
  expect(add('two')).toBeUndefined();
  expect(add('one')).toBeUndefined();
  expect(puts.size).toBe(3);
  expect(contentOf(puts.stored(current))).toBe('one');
  expect(outcomes).toEqual(['one stored', 'one stored']);
});

it('sends only the newest waiting put, and resolves all calls when it is stored', () => {
  const current = first('1');
  for (const content of ['2', '3', '4']) expect(add(content)).toBeUndefined();
  const next = puts.stored(current);
  expect(outcomes).toEqual(['1 stored']);
  expect(contentOf(next)).toBe('4');
  add('5');
  expect(contentOf(next && puts.stored(next))).toBe('5');
  expect(outcomes).toEqual(['1 stored', '2 stored', '3 stored', '4 stored']);
  expect(puts.size).toBe(1);
});

describe('a put that is refused', () => {
  const refusal = Object.assign(new Error('no'), { name: 'ItemRejected' });

  it('rejects its own calls only: the put before it is sent', () => {
    const current = first('1');
    for (const content of ['2', '3']) add(content);
    const third = puts.stored(current);
    const second = third && puts.rejected(third, refusal);
    expect(contentOf(second)).toBe('2');
    expect(second && puts.stored(second)).toBeUndefined();
    expect(outcomes).toEqual(['1 stored', '3 ItemRejected', '2 stored']);
    expect(puts.size).toBe(0);
  });

  it('is superseded by the newest put', () => {
    const current = first('1');
    add('2');
    const second = puts.stored(current);
    add('3');
    expect(contentOf(second && puts.rejected(second, refusal))).toBe('3');
    expect(puts.size).toBe(1);
  });
});

describe('a put whose key is throttled', () => {
  it('rejects the calls with whenThrottled reject, and no others', () => {
    const current = first('1');
    add('1', 'reject');
    add('2', 'reject');
    add('3');
    add('4', 'reject');
    const next = puts.throttled(current);
    expect(contentOf(next)).toBe('3');
    expect(outcomes).toEqual(['1 KeyThrottled', '2 KeyThrottled', '4 KeyThrottled']);
    expect(puts.size).toBe(2);
    expect(next && puts.stored(next)).toBeUndefined();
    expect(outcomes.slice(3)).toEqual(['1 stored', '3 stored']);
  });

  it('is removed when no call waits for it', () => {
    expect(puts.throttled(first('1', 'reject'))).toBeUndefined();
    expect(puts.size).toBe(0);
    expect(contentOf(add('1'))).toBe('1');
  });

  it('is superseded by a newer one before it is sent again', () => {
    const current = first('1', 'reject');
    add('2');
    expect(contentOf(puts.renewed(current))).toBe('2');
    expect(outcomes).toEqual([]);
  });
});
