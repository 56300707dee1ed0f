import { usagePerRequest } from './measured-service.ts';

it('divides the difference by the number of requests, but not memory', () => {
  const usage = (factor: number) => ({
    cpu: 100 * factor,
    requests: 10 * factor,
    readUnits: 5 * factor,
    writeUnits: factor,
    peakMemory: 1000 * factor,
  });
  expect(usagePerRequest(usage(1), usage(3), 10)).toEqual({
    cpu: 20,
    requests: 2,
    readUnits: 1,
    writeUnits: 0.2,
    peakMemory: 3000,
  });
});
