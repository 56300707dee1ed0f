import { BlocksInFlight } from './blocks-in-flight.ts';
import type { RefusedReading } from './parcel.ts';

const refused = (time: number): RefusedReading => ({
  reading: { time, fields: { x: 1 } },
  detail: 'refused',
});

/** Blocks whose caller keeps what it is told. */
function start(blocks: number, stored: () => void = () => undefined) {
  const told: unknown[] = [];
  const writing = new BlocksInFlight(blocks, [], {
    stored: (all) => {
      told.push(all.map(({ reading }) => reading.time));
      stored();
    },
    failed: (error) => told.push((error as Error).message),
  });
  return { writing, told };
}

it('are stored when the last of them is, with the refused readings of all', () => {
  const { writing, told } = start(2);
  writing.ended([refused(1)]);
  expect(told).toEqual([]);
  writing.ended([refused(2)]);
  expect(told).toEqual([[1, 2]]);
});

it('are not stored before both parts of a block are', () => {
  const { writing, told } = start(1);
  writing.split();
  writing.ended([]);
  expect(told).toEqual([]);
  writing.ended([refused(2)]);
  expect(told).toEqual([[2]]);
});

it('are stored at once where there are none', () => {
  expect(start(0).told).toEqual([[]]);
});

it('tell one failure only, and nothing afterwards', () => {
  const { writing, told } = start(2);
  writing.failed(new Error('first'));
  writing.failed(new Error('second'));
  writing.ended([]);
  writing.ended([]);
  expect(told).toEqual(['first']);
});

it('fail where their caller does', () => {
  const { writing, told } = start(1, () => {
    throw new Error('a defect');
  });
  writing.ended([]);
  expect(told).toEqual([[], 'a defect']);
});
