import { compare } from './verdict.ts';

const reading = (device: string, time: number, temperature = 20) => {
  return { device, time, fields: { temperature } };
};

it('finds every published reading once', () => {
  const readings = [reading('a', 1), reading('b', 1), reading('a', 2)];
  expect(compare(readings, readings.toReversed())).toEqual({
    published: 3,
    lost: 0,
    doubled: 0,
    changed: 0,
  });
});

it('counts lost, doubled and changed readings', () => {
  const published = [1, 2, 3, 4].map((time) => reading('a', time));
  const stored = [
    reading('a', 1),
    reading('a', 2),
    reading('a', 2),
    reading('a', 4, 21),
    reading('another', 3),
  ];
  expect(compare(published, stored)).toEqual({ published: 4, lost: 1, doubled: 1, changed: 1 });
});
