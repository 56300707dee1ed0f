import { setImmediate as turn } from 'node:timers/promises';
import { inTurns } from './in-turns.ts';

it('gives the results in the order of the items, and does no more at a time than it may', async () => {
  let underWay = 0;
  let most = 0;
  const results = await inTurns([3, 1, 2, 0, 1], 2, async (turns) => {
    most = Math.max(most, (underWay += 1));
    for (let taken = 0; taken < turns; taken++) await turn();
    underWay -= 1;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0, 10]);
  expect(most).toBe(2);
});

it('begins nothing more after a failure', async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error('no');
  };
  await expect(inTurns([0, 1, 2, 3, 4, 5, 6, 7], 2, work)).rejects.toThrow('no');
  for (let more = 0; more < 20; more++) await turn();
  expect(begun.length).toBeLessThanOrEqual(3);
});
