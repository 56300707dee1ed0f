import { ServiceClock, recordingMs } from './service-clock.ts';

/** A service whose clock is ahead by `aheadMs`, and responses that take `tripMs`. */
function observe(clock: ServiceClock, sentMs: number, aheadMs: number, tripMs = 10): number {
  const end = Math.floor((sentMs + tripMs / 2 + aheadMs - recordingMs / 2) / 1000);
  clock.observe({ sentMs, receivedMs: sentMs + tripMs, end });
  return end;
}

/** Polls as the page does, and returns how late each request was that got a new second. */
function delays(aheadMs: number, count: number, clock = new ServiceClock(), from = 0): number[] {
  const late: number[] = [];
  let sentMs = from;
  let last = observe(clock, sentMs, aheadMs);
  while (late.length < count) {
    sentMs = Math.max(sentMs + 20, Math.min(clock.nextMs, sentMs + 500));
    const end = observe(clock, sentMs, aheadMs);
    if (end > last) late.push(sentMs + aheadMs - end * 1000);
    last = end;
  }
  return late;
}

describe('ServiceClock', () => {
  it.each([0, 3, 250, 500, 990, -1_700_000_123_456.7, 86_400_500])(
    'finds the end of a second with a clock that is %d ms ahead',
    (aheadMs) => {
      const late = delays(aheadMs, 30).slice(10);
      for (const ms of late) expect(ms).toBeLessThanOrEqual(recordingMs + 60);
    },
  );

  it('follows a clock that was set', () => {
    const clock = new ServiceClock();
    delays(100, 20, clock);
    const late = delays(5_400, 30, clock, 21_000).slice(10);
    for (const ms of late) expect(ms).toBeLessThanOrEqual(recordingMs + 60);
  });
});
