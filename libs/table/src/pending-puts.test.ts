import { pendingPut, PendingPuts, putId } from './pending-puts.ts';

const put = (content: string) => pendingPut({ pk: 'p', sk: 's', content });

it('tells keys apart that read the same when joined', () => {
  expect(putId('a', 'bc')).not.toBe(putId('ab', 'c'));
  expect(putId('1 a', 'b')).not.toBe(putId('1', ' ab'));
});

it('joins an equal put, but only the latest', () => {
  const puts = new PendingPuts();
  const first = put('one');
  expect(puts.add(first)).toEqual({ put: first, isNext: true });
  expect(puts.add(put('one'))).toEqual({ put: first, isNext: false });
  const second = put('two');
  expect(puts.add(second)).toEqual({ put: second, isNext: false });
  const third = put('one');
  expect(puts.add(third).put).toBe(third);
  expect(puts.size).toBe(3);
});

it('lets those behind go one after the other', () => {
  const puts = new PendingPuts();
  const [first, second] = [put('one'), put('two')];
  puts.add(first);
  puts.add(second);
  expect(puts.settle(first)).toBe(second);
  expect(puts.settle(second)).toBeUndefined();
  expect(puts.size).toBe(0);
  expect(puts.add(put('two')).isNext).toBe(true);
});
