import { InFlightLimit } from './in-flight-limit.ts';

/** Receives up to `peak` messages, then releases them all. */
function wave(limit: InFlightLimit, peak: number): void {
  for (let inFlight = 1; inFlight <= peak; inFlight++) limit.received(inFlight);
  for (let inFlight = peak; inFlight >= 1; inFlight--) limit.released(inFlight);
}

describe('the in-flight limit', () => {
  it('lets half of the window wait as long as nothing is known of the broker', () => {
    const limit = new InFlightLimit(2000);
    expect([999, 1000].map((waiting) => limit.reached(waiting))).toEqual([false, true]);
  });

  it('is where the broker stopped three times', () => {
    const limit = new InFlightLimit(2000);
    wave(limit, 20);
    wave(limit, 20);
    expect(limit.reached(20)).toBe(false);
    wave(limit, 20);
    expect([9, 10].map((waiting) => limit.reached(waiting))).toEqual([false, true]);
  });

  it('is forgotten when the broker sends more', () => {
    const limit = new InFlightLimit(2000);
    for (let round = 0; round < 3; round++) wave(limit, 20);
    limit.received(21);
    expect(limit.reached(20)).toBe(false);
  });

  it('is not learned from peaks that differ', () => {
    const limit = new InFlightLimit(2000);
    for (const peak of [20, 19, 20, 19, 20]) wave(limit, peak);
    expect(limit.reached(20)).toBe(false);
  });
});
