import { Budget } from '@engawa/http';
import { aDevice, aReading } from '@engawa/testing';
import { HotLatest } from './hot-latest.ts';
import type { Device } from '@engawa/model';
import type { Latest } from './latest-of-device.ts';

const signal = new AbortController().signal;
const plenty = () => new Budget({ deadlineMs: Infinity, units: 1000 });

/** Loads that end when the test says so, and a clock that goes when it says so. */
class Scene {
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

  ask(limit = 1, given: { signal?: AbortSignal; budget?: Budget } = {}) {
    return this.latest.get({ id: 'hot', limit, budget: plenty(), signal, ...given });
  }

  /** The newest so many, of which the first says which load they are of. */
  answer(load: number, count = 1): Latest {
    const readings = Array.from({ length: count }, (_, index) =>
      aReading({ fields: { load, index } }),
    );
    return { device: aDevice({ id: 'hot', ...this.device }), readings, isIncomplete: false };
  }

  end(load: number, count = 1): void {
    this.loads[load]?.end(this.answer(load, count));
  }

  /** Asks at once so many times, and has what that loads end. */
  async rush(times: number): Promise<void> {
    const before = this.loads.length;
    const asking = Array.from({ length: times }, () => this.ask());
    for (let load = before; load < this.loads.length; load++) this.end(load);
    await Promise.all(asking);
  }
}

describe('the latest of a hot device', () => {
  it('is loaded once for all who ask within a second of its beginning', async () => {
    const scene = new Scene();
    const first = scene.ask();
    scene.time = 999;
    const second = scene.ask();
    scene.end(0);
    expect(await first).toEqual(scene.answer(0));
    expect(await second).toEqual(scene.answer(0));
    expect(await scene.ask()).toEqual(scene.answer(0));
    scene.time = 1000;
    const third = scene.ask();
    scene.end(1);
    expect(await third).toEqual(scene.answer(1));
    expect(scene.loads).toHaveLength(2);
  });

  it('serves who asks for fewer readings, and is loaded again for who asks for more', async () => {
    const scene = new Scene();
    const ten = scene.ask(10);
    const three = scene.ask(3);
    const twenty = scene.ask(20);
    const fifteen = scene.ask(15);
    scene.end(0, 10);
    scene.end(1, 20);
    expect(await ten).toEqual(scene.answer(0, 10));
    expect(await three).toEqual(scene.answer(0, 3));
    expect(await twenty).toEqual(scene.answer(1, 20));
    expect(await fifteen).toEqual(scene.answer(1, 15));
    expect(scene.loads.map(({ limit }) => limit)).toEqual([10, 20]);
  });

  it('goes on when the one who asked first hangs up', async () => {
    const scene = new Scene();
    const client = new AbortController();
    const first = scene.ask(1, { signal: client.signal });
    const second = scene.ask();
    client.abort(new Error('gone'));
    expect(scene.loads[0]?.signal.aborted).toBe(false);
    scene.end(0);
    await expect(first).rejects.toThrow('gone');
    expect(await second).toEqual(scene.answer(0));
  });

  it('is paid by the one who asked first, whose little does not make it short', async () => {
    const scene = new Scene();
    scene.units = 7;
    const poor = new Budget({ deadlineMs: Infinity, units: 8 });
    poor.charge(7);
    const other = new Budget({ deadlineMs: Infinity, units: 1 });
    const asking = [scene.ask(1, { budget: poor }), scene.ask(1, { budget: other })];
    expect(poor.isSpent).toBe(false);
    scene.end(0);
    await Promise.all(asking);
    expect([poor.isSpent, other.isSpent]).toEqual([true, false]);
  });

  it('is not kept where it failed', async () => {
    const scene = new Scene();
    const asking = [scene.ask(), scene.ask()];
    scene.loads[0]?.end(new Error('throttled'));
    for (const each of asking) await expect(each).rejects.toThrow('throttled');
    const again = scene.ask();
    scene.end(1);
    expect(await again).toEqual(scene.answer(1));
  });

  it('goes on being shared while as many ask, though sharing cools the key', async () => {
    const scene = new Scene();
    await scene.rush(50);
    scene.hot = false;
    for (scene.time = 1000; scene.time <= 20_000; scene.time += 1000) await scene.rush(50);
    expect(scene.loads).toHaveLength(21);
  });

  it.each([
    { count: 1, asking: 49, loads: 2 },
    { count: 1, asking: 50, loads: 1 },
    { count: 4, asking: 199, loads: 2 }, // of which each takes a quarter of the same key
    { count: 4, asking: 200, loads: 1 },
  ])('with $count shards and $asking that ask takes $loads of 2', async (given) => {
    const scene = new Scene();
    scene.device = { shards: [{ since: 0, count: given.count, from: 0 }] };
    await scene.rush(given.asking);
    scene.hot = false;
    scene.time = 1000;
    await scene.rush(2);
    expect(scene.loads).toHaveLength(1 + given.loads);
  });
});

describe('the latest of a device that is hot in the sum of processes', () => {
  it.each([
    { asking: 24, loads: 2 },
    { asking: 25, loads: 1 },
  ])('with half of the load here and $asking that ask takes $loads of 2', async (given) => {
    const scene = new Scene();
    scene.shareOfHot = 0.5;
    await scene.rush(given.asking);
    // That of the first second is what it would be, were nothing shared.
    scene.shareOfHot = 0.01;
    scene.hot = false;
    scene.time = 1000;
    await scene.rush(2);
    expect(scene.loads).toHaveLength(1 + given.loads);
  });
});

describe('the latest of an ordinary device', () => {
  it('is loaded for each who asks, with a budget and a signal of his own', async () => {
    const scene = new Scene();
    scene.hot = false;
    const client = new AbortController();
    const asking = [scene.ask(3, { signal: client.signal }), scene.ask(2)];
    expect(scene.loads.map(({ limit }) => limit)).toEqual([3, 2]);
    expect(scene.loads[0]?.signal).toBe(client.signal);
    scene.end(0, 3);
    scene.end(1, 2);
    expect(await Promise.all(asking)).toEqual([scene.answer(0, 3), scene.answer(1, 2)]);
  });

  it('is again what it was before it was hot, at once when nobody shares it', async () => {
    const scene = new Scene();
    await scene.rush(2);
    scene.hot = false;
    scene.time = 1000;
    await scene.rush(2);
    expect(scene.loads).toHaveLength(3);
  });
});
