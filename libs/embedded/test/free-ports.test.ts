import { findFreePort } from '../src/free-ports.ts';

it('is never a port that fetch blocks, the last of which is 10080', async () => {
  const ports = await Promise.all(Array.from({ length: 1000 }, findFreePort));
  expect(Math.min(...ports)).toBeGreaterThan(10_080);
});
