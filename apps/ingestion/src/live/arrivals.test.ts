import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '@engawa/testing';
import { Arrivals } from './arrivals.ts';

const location = { place: undefined, room: undefined, since: 0 };
const readings = (...times: number[]) => times.map((time) => ({ time, fields: {} }));

/** The times of the readings of each turn, of arrivals with a pause that ends when the test says. */
function arrivalsWithPause() {
  const turns: number[][] = [];
  let turn: number[] = [];
  const pauses: PromiseWithResolvers<undefined>[] = [];
  const arrivals = new Arrivals({
    locations: { of: (devices) => new Map([...devices].map((device) => [device, location])) },
    publish: (_device, { time }) => turn.push(time),
    endTurn: () => {
      turns.push(turn);
      turn = [];
    },
    pause: () => {
      const pause = Promise.withResolvers<undefined>();
      pauses.push(pause);
      return pause.promise;
    },
    onDropped: (reason) => {
      throw new Error(String(reason));
    },
  });
  return { arrivals, turns, pauses };
}

describe('arrivals', () => {
  it('of a pause are published in one turn after it, in order', async () => {
    const { arrivals, turns, pauses } = arrivalsWithPause();
    arrivals.add('a', readings(1));
    await until('a pause', () => pauses.length === 1);
    for (const time of [2, 3, 4]) {
      arrivals.add('b', readings(time));
      await nextTurn();
    }
    expect(turns).toEqual([[1]]);
    pauses[0]?.resolve(undefined);
    await until('another pause', () => pauses.length === 2);
    expect(turns).toEqual([[1], [2, 3, 4]]);
    pauses[1]?.resolve(undefined);
    await arrivals.isIdle;
  });

  it('of a large pack are published in several turns', async () => {
    const { arrivals, turns, pauses } = arrivalsWithPause();
    const times = Array.from({ length: 450 }, (_, index) => index);
    arrivals.add('a', readings(...times));
    await until('a pause', () => pauses.length === 1);
    expect(turns.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(turns.flat()).toEqual(times);
  });
});
