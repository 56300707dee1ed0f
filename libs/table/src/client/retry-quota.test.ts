import { RetryQuota } from './retry-quota.ts';

/** Takes retries until there are none. @returns how many there were */
function takeAll(quota: RetryQuota, isTimeout: boolean): number {
  let count = 0;
  while (quota.take(isTimeout) !== undefined) count += 1;
  return count;
}

describe('a retry quota', () => {
  it.each([
    ['errors', false, 100],
    ['timeouts', true, 50],
  ])('ends after many retries for %s without a success', (_, isTimeout, expected) => {
    expect(takeAll(new RetryQuota(), isTimeout)).toBe(expected);
  });

  it('is refunded by a retry that succeeds, and slowly by first attempts', () => {
    const quota = new RetryQuota();
    takeAll(quota, false);
    quota.succeeded(5);
    expect(takeAll(quota, false)).toBe(1);
    for (let success = 0; success < 5; success++) quota.succeeded(undefined);
    expect(takeAll(quota, false)).toBe(1);
  });

  it('does not grow beyond its capacity', () => {
    const quota = new RetryQuota();
    for (let success = 0; success < 100; success++) quota.succeeded(undefined);
    expect(takeAll(quota, false)).toBe(100);
  });
});
