import { setImmediate as nextTurn } from 'node:timers/promises';
import { SlicedConversion } from './sliced-conversion.ts';

const items = Array.from({ length: 1000 }, (_, id) => ({ id }));
const parse = () => ({ Items: [...items], Count: items.length });
const idOf = (item: unknown) => (item as { id: number }).id;
const ids = items.map(idOf);
const slices = 10;
const large = { parse, bytes: slices * 32 * 1024, convert: idOf };

it('converts a small response at once', () => {
  const small = { parse, bytes: 1000, convert: idOf };
  expect(new SlicedConversion().of(small)).toEqual({ Items: ids, Count: 1000 });
});

it('leaves a response without items, or without a conversion, as it is', async () => {
  const conversion = new SlicedConversion();
  expect(await conversion.of({ ...large, parse: () => ({}) })).toEqual({});
  expect(await conversion.of({ ...large, convert: undefined })).toEqual(parse());
});

it('converts large responses in order, a slice per turn of the event loop', async () => {
  const conversion = new SlicedConversion();
  const progress = { turns: 0, hasEnded: false };
  let [inTurn, most] = [0, 0];
  const convert = (item: unknown) => {
    inTurn += 1;
    most = Math.max(most, inTurn);
    return idOf(item);
  };
  const started = [1, 2, 3].map(async () => conversion.of({ ...large, convert }));
  const ended = Promise.all(started).finally(() => (progress.hasEnded = true));
  for (; !progress.hasEnded; progress.turns++) {
    inTurn = 0;
    await nextTurn();
  }
  expect(await ended).toEqual(started.map(() => ({ Items: ids, Count: 1000 })));
  expect(progress.turns).toBeGreaterThanOrEqual(started.length * slices);
  expect(most).toBeLessThanOrEqual(items.length / slices);
});

it('parses a large response when those before it are converted', async () => {
  const conversion = new SlicedConversion();
  const steps: string[] = [];
  const response = (name: string) => ({
    ...large,
    parse: () => {
      steps.push(`parse ${name}`);
      return parse();
    },
  });
  const read = async (name: string) => {
    await conversion.of(response(name));
    steps.push(`have ${name}`);
  };
  await Promise.all([read('a'), read('b')]);
  expect(steps).toEqual(['parse a', 'have a', 'parse b', 'have b']);
});

it('converts large responses after one that is no JSON', async () => {
  const conversion = new SlicedConversion();
  const broken = conversion.of({ ...large, parse: () => JSON.parse('<html>') as object });
  const next = conversion.of(large);
  await expect(broken).rejects.toThrow(SyntaxError);
  expect(await next).toEqual({ Items: ids, Count: 1000 });
});
