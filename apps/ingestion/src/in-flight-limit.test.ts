import { InFlightLimit } from './in-flight-limit.ts';

let now: number;
let limit: InFlightLimit;
beforeEach(() => {
  now = 1e12;
  limit = new InFlightLimit(2000);
});

/** Receives up to `peak` messages, hears nothing for a while, then releases them all. */
function wave(peak: number, silence = 1000): void {
  for (let inFlight = 1; inFlight <= peak; inFlight++) limit.received(inFlight, now);
  now += silence;
  for (let inFlight = peak; inFlight >= 1; inFlight--) limit.released(inFlight, now);
}

describe('the in-flight limit', () => {
  it('lets half of the window wait as long as nothing is known of the broker', () => {
    expect([999, 1000].map((waiting) => limit.reached(waiting))).toEqual([false, true]);
  });

  it('is where the broker stopped three times', () => {
    wave(20);
    wave(20);
    expect(limit.reached(20)).toBe(false);
    wave(20);
    expect([19, 20].map((waiting) => limit.reached(waiting))).toEqual([false, true]);
  });

  it('is not where it has once sent more', () => {
    wave(30);
    for (let round = 0; round < 5; round++) wave(20);
    expect(limit.reached(30)).toBe(false);
  });

  it('is not where it was still sending', () => {
    for (let round = 0; round < 5; round++) wave(20, 10);
    expect(limit.reached(20)).toBe(false);
  });

  it('is forgotten when the broker sends more', () => {
    for (let round = 0; round < 3; round++) wave(20);
    limit.received(21, now);
    expect(limit.reached(20)).toBe(false);
  });

  it('is looked for anew after five minutes', () => {
    for (let round = 0; round < 3; round++) wave(20);
    now += 300_001;
    limit.received(1, now);
    expect(limit.reached(20)).toBe(false);
  });
});
