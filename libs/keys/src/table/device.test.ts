import fc from 'fast-check';
import * as keys from '../index.ts';

it('has buckets in the keys of its rollups only', () => {
  const time = fc.integer({ min: keys.earliestInstant, max: keys.latestInstant });
  // `.` and `..` are no ids.
  const id = fc.string().map((text) => `d${text}`);
  fc.assert(
    fc.property(id, time, (device, start) => {
      const { sk } = keys.rollupKey(device, 'P1D', start);
      expect(keys.rollupBucket(sk)).toEqual({ width: 'P1D', start });
    }),
  );
  const others = [
    keys.deviceKey('d').sk,
    keys.blockKey({ device: 'd', newest: 0, name: 'z' }).sk,
    '#AGG#PT1H',
  ];
  expect(others.map(keys.rollupBucket)).toEqual(others.map(() => undefined));
  expect(() => keys.rollupBucket('#AGG#PT1H#now')).toThrow(keys.KeyError);
});
