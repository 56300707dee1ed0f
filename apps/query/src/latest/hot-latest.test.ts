import { RequestBudget } from '@engawa/http';
import { aDevice, aReading } from '@engawa/testing';
import { HotLatest } from './hot-latest.ts';
import type { Device } from '@engawa/model';
import type { Latest } from './latest-of-device.ts';

const signal = new AbortController().signal;
const plenty = () => new RequestBudget({ deadlineMs: Infinity, maxUnits: 1000 });

/** Loads and a clock that the test controls. */
class HotLatestFixture {
  hot = true;
  shareOfHot = 1;
  time = 0;
  units = 1;
  device: Partial<Device> = {};
  readonly loads: { limit: number; signal: AbortSignal; end: (latest: Latest | Error) => void }[] =
    [];
  readonly latest = new HotLatest({
    shareOfHot: () => (this.hot ? this.shareOfHot : undefined),
    readLimit: 100,
    now: () => this.time,
    load: ({ limit, budget, signal }) => {
      budget.charge(this.units);
      const { promise, resolve, reject } = Promise.withResolvers<Latest>();
      const end = (latest: Latest | Error) =>
        latest instanceof Error ? reject(latest) : resolve(latest);
      this.loads.push({ limit, signal, end });
      return promise;
    },
  });

  ask(limit = 1, given: { signal?: AbortSignal; budget?: RequestBudget } = {}) {
    return this.latest.get({ id: 'hot', limit, budget: plenty(), signal, ...given });
  }

  /** The newest `count` readings; the first one names its load. */
  answer(load: number, count = 1): Latest {
    const readings = Array.from({ length: count }, (_, index) =>
      aReading({ fields: { load, index } }),
    );
    return { device: aDevice({ id: 'hot', ...this.device }), readings, isIncomplete: false };
  }

  end(load: number, count = 1): void {
    this.loads[load]?.end(this.answer(load, count));
  }

  /** Sends concurrent requests, and completes the loads that they begin. */
  async rush(times: number): Promise<void> {
    const before = this.loads.length;
    const asking = Array.from({ length: times }, () => this.ask());
    for (let load = before; load < this.loads.length; load++) this.end(load);
    await Promise.all(asking);
  }
}

describe('the latest of a hot device', () => {
  it('is loaded once for all requests within a second', async () => {
    const location = new HotLatestFixture();
    const first = location.ask();
    location.time = 999;
    const second = location.ask();
    location.end(0);
    expect(await first).toEqual(location.answer(0));
    expect(await second).toEqual(location.answer(0));
    expect(await location.ask()).toEqual(location.answer(0));
    location.time = 1000;
    const third = location.ask();
    location.end(1);
    expect(await third).toEqual(location.answer(1));
    expect(location.loads).toHaveLength(2);
  });

  it('is shared by requests with a lower limit, and loaded again for a higher one', async () => {
    const location = new HotLatestFixture();
    const ten = location.ask(10);
    const three = location.ask(3);
    const twenty = location.ask(20);
    const fifteen = location.ask(15);
    location.end(0, 10);
    location.end(1, 20);
    expect(await ten).toEqual(location.answer(0, 10));
    expect(await three).toEqual(location.answer(0, 3));
    expect(await twenty).toEqual(location.answer(1, 20));
    expect(await fifteen).toEqual(location.answer(1, 15));
    expect(location.loads.map(({ limit }) => limit)).toEqual([10, 20]);
  });

  it('continues to load when the first client disconnects', async () => {
    const location = new HotLatestFixture();
    const client = new AbortController();
    const first = location.ask(1, { signal: client.signal });
    const second = location.ask();
    client.abort(new Error('gone'));
    expect(location.loads[0]?.signal.aborted).toBe(false);
    location.end(0);
    await expect(first).rejects.toThrow('gone');
    expect(await second).toEqual(location.answer(0));
  });

  it('is charged to the first request, whose small budget does not shorten it', async () => {
    const location = new HotLatestFixture();
    location.units = 7;
    const poor = new RequestBudget({ deadlineMs: Infinity, maxUnits: 8 });
    poor.charge(7);
    const other = new RequestBudget({ deadlineMs: Infinity, maxUnits: 1 });
    const asking = [location.ask(1, { budget: poor }), location.ask(1, { budget: other })];
    expect(poor.isSpent).toBe(false);
    location.end(0);
    await Promise.all(asking);
    expect([poor.isSpent, other.isSpent]).toEqual([true, false]);
  });

  it('is not cached after a failure', async () => {
    const location = new HotLatestFixture();
    const asking = [location.ask(), location.ask()];
    location.loads[0]?.end(new Error('throttled'));
    for (const each of asking) await expect(each).rejects.toThrow('throttled');
    const again = location.ask();
    location.end(1);
    expect(await again).toEqual(location.answer(1));
  });

  it('is shared as long as requests continue, although sharing cools the key', async () => {
    const location = new HotLatestFixture();
    await location.rush(50);
    location.hot = false;
    for (location.time = 1000; location.time <= 20_000; location.time += 1000)
      await location.rush(50);
    expect(location.loads).toHaveLength(21);
  });

  it.each([
    { count: 1, asking: 49, loads: 2 },
    { count: 1, asking: 50, loads: 1 },
    { count: 4, asking: 199, loads: 2 }, // of which each takes a quarter of the same key
    { count: 4, asking: 200, loads: 1 },
  ])('with $count shards and $asking requests takes $loads of 2 loads', async (given) => {
    const location = new HotLatestFixture();
    location.device = { shards: [{ since: 0, count: given.count, from: 0 }] };
    await location.rush(given.asking);
    location.hot = false;
    location.time = 1000;
    await location.rush(2);
    expect(location.loads).toHaveLength(1 + given.loads);
  });
});

describe('the latest readings of a device that is hot in total of all processes', () => {
  it.each([
    { asking: 24, loads: 2 },
    { asking: 25, loads: 1 },
  ])('with half of the load here and $asking requests takes $loads of 2 loads', async (given) => {
    const location = new HotLatestFixture();
    location.shareOfHot = 0.5;
    await location.rush(given.asking);
    // That of the first second is what it would be, were nothing shared.
    location.shareOfHot = 0.01;
    location.hot = false;
    location.time = 1000;
    await location.rush(2);
    expect(location.loads).toHaveLength(1 + given.loads);
  });
});

describe('the latest of an ordinary device', () => {
  it('is loaded per request, with its own budget and signal', async () => {
    const location = new HotLatestFixture();
    location.hot = false;
    const client = new AbortController();
    const asking = [location.ask(3, { signal: client.signal }), location.ask(2)];
    expect(location.loads.map(({ limit }) => limit)).toEqual([3, 2]);
    expect(location.loads[0]?.signal).toBe(client.signal);
    location.end(0, 3);
    location.end(1, 2);
    expect(await Promise.all(asking)).toEqual([location.answer(0, 3), location.answer(1, 2)]);
  });

  it('is loaded per request again once the key is not hot', async () => {
    const location = new HotLatestFixture();
    await location.rush(2);
    location.hot = false;
    location.time = 1000;
    await location.rush(2);
    expect(location.loads).toHaveLength(3);
  });
});
