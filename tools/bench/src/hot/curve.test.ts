import { recoveredAt, renderCurve } from './curve.ts';

/** Events of `perSecond` from one moment to another, every 10 ms. */
function events(perSecond: number, from: number, to: number) {
  return Array.from({ length: (to - from) / 10 }, (_, index) => ({
    at: from + index * 10,
    count: perSecond / 100,
  }));
}

describe('the recovery time', () => {
  const throttled = events(10, 0, 20_000);
  const recovered = events(100, 20_000, 40_000);

  it('is the start of the first five seconds at nearly the full rate', () => {
    const all = [...throttled, ...recovered];
    const at = recoveredAt(all, { rate: 100, from: 0, to: 40_000 });
    // Of these five seconds, 0.2 may have been throttled still.
    expect(at).toBeGreaterThanOrEqual(19_600);
    expect(at).toBeLessThanOrEqual(20_000);
  });

  it('is undefined while throttling lasts, or after a short fast moment', () => {
    const window = { rate: 100, from: 0, to: 40_000 };
    expect(recoveredAt(events(10, 0, 40_000), window)).toBeUndefined();
    expect(recoveredAt([...throttled, ...events(100, 20_000, 23_000)], window)).toBeUndefined();
  });

  it('is undefined when the observation was shorter', () => {
    const all = events(100, 0, 40_000);
    expect(recoveredAt(all, { rate: 100, from: 0, to: 4900 })).toBeUndefined();
  });
});

it('draws the stored share of the offered load', () => {
  const others = [3, 4, 9];
  const text = renderCurve('with mitigation', [
    { second: 0, offered: 200, stored: 50, throttled: 7, shards: 1, others },
    { second: 1, offered: 200, stored: 200, throttled: 0, shards: 8, others: [] },
  ]);
  expect(text).toContain('**with mitigation**');
  expect(text).toContain(`       4       9  ${'#'.repeat(10)}${'.'.repeat(30)}\n`);
  expect(text).toContain(`       8                  ${'#'.repeat(40)}\n`);
});
