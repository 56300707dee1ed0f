import { BrokerStall, quietMs } from './broker-stall.ts';
import { FlushOnStall } from './flush-on-stall.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

interface Played {
  /** Messages stored, and milliseconds until then. */
  stored: number;
  tookMs: number;
  /** Messages written after the first trials. */
  packed: { readings: number; blocks: number };
}

interface Scenario {
  devices: number;
  lingerMs: number;
  /** Messages queued at the broker, for one device after another. */
  queued: number;
  /** Messages that the broker sends before it waits for acknowledgements. */
  brokerWindow: number;
  /** Milliseconds between two messages of a device, from the beginning; 0 for none. */
  periodMs: number;
  durationMs: number;
  /** Whether all devices send at the same moment. */
  together?: boolean;
  /** Messages of how many partitions are delivered, of which one is stored. */
  partitions?: number;
}

/** A message that the broker has delivered. */
interface Delivery {
  isReleased: boolean;
}

const writeMs = 8;
/** The trials at 1, 4, 13, 40 and 121 s are over; the next is at 364 s. */
const settledAtMs = 130_000;

/** A broker, the packer and a table, millisecond by millisecond. */
function play(scenario: Scenario): Played {
  const { devices, lingerMs, brokerWindow, periodMs, durationMs, partitions = 1 } = scenario;
  let now = 0;
  const queue = Array.from({ length: scenario.queued }, (_, index) => index % devices);
  const sending = Map.groupBy(Array.from({ length: devices }).keys(), (device) =>
    scenario.together === true ? 0 : Math.floor((device * periodMs) / devices),
  );
  const waiting = new Map<number, { deliveries: Delivery[]; dueAt: number }>();
  const writes: { doneAt: number; deliveries: Delivery[] }[] = [];
  const unacknowledged: Delivery[] = [];
  const played = { stored: 0, tookMs: 0, packed: { readings: 0, blocks: 0 } };
  let lingering = 0;
  const write = (device: number): void => {
    const deliveries = waiting.get(device)?.deliveries ?? [];
    waiting.delete(device);
    lingering -= deliveries.length;
    writes.push({ doneAt: now + writeMs, deliveries });
    if (now >= settledAtMs) played.packed.blocks += 1;
    if (now >= settledAtMs) played.packed.readings += deliveries.length;
  };
  const stall = new FlushOnStall({
    window: 2000,
    packer: {
      get waiting() {
        return lingering;
      },
      flushAll: () => [...waiting.keys()].forEach(write),
    },
  });
  /** In the order of receipt [MQTT-4.6.0-2]. */
  const acknowledge = (): void => {
    const held = unacknowledged.findIndex(({ isReleased }) => !isReleased);
    const count = held === -1 ? unacknowledged.length : held;
    unacknowledged.splice(0, count);
    if (count > 0) stall.acknowledged(count);
  };
  const receive = (device: number): void => {
    const delivery = { isReleased: device % partitions > 0 };
    unacknowledged.push(delivery);
    stall.received();
    if (delivery.isReleased) return;
    const group = waiting.get(device) ?? { deliveries: [], dueAt: now + lingerMs };
    group.deliveries.push(delivery);
    waiting.set(device, group);
    lingering += 1;
    stall.packed();
  };
  for (; now < durationMs; now += 1) {
    queue.push(...(sending.get(periodMs > 0 ? now % periodMs : -1) ?? []));
    while (writes[0]?.doneAt === now) {
      const { deliveries } = writes.shift() ?? { deliveries: [] };
      for (const delivery of deliveries) delivery.isReleased = true;
      played.stored += deliveries.length;
      played.tookMs = now;
    }
    acknowledge();
    while (queue.length > 0 && unacknowledged.length < brokerWindow) receive(queue.shift() ?? 0);
    for (const [device, { dueAt }] of waiting) if (dueAt <= now) write(device);
    jest.advanceTimersByTime(1);
  }
  return played;
}

const backlog = { devices: 100, queued: 3000, periodMs: 0, durationMs: 40_000 };
const live = { devices: 30, queued: 0, brokerWindow: 2000, periodMs: 1000, durationMs: 330_000 };

describe('a backlog at a broker that stops at its own window', () => {
  it.each([
    { brokerWindow: 20, lingerMs: 1000 },
    { brokerWindow: 50, lingerMs: 1000 },
    { brokerWindow: 50, lingerMs: 10_000 },
    { brokerWindow: 500, lingerMs: 1000 },
  ])('is stored as fast as writes allow: %j', (scenario) => {
    const { stored, tookMs } = play({ ...backlog, ...scenario });
    expect(stored).toBe(3000);
    const rounds = 3000 / scenario.brokerWindow;
    expect(tookMs).toBeLessThan(rounds * (writeMs + quietMs + 5) + 1500);
  });

  it('is stored as fast by a replica with one of four partitions', () => {
    const { stored, tookMs } = play({
      ...backlog,
      brokerWindow: 20,
      lingerMs: 1000,
      partitions: 4,
    });
    expect(stored).toBe(750);
    expect(tookMs).toBeLessThan((3000 / 20) * (writeMs + quietMs + 5) + 1500);
  });

  it('is stored although live messages arrive faster than the broker sends to a lingering client', () => {
    const { stored } = play({ ...backlog, brokerWindow: 20, lingerMs: 1000, periodMs: 1000 });
    expect(stored).toBeGreaterThan(3000 + 37 * 100);
  });
});

describe('slow live traffic is packed', () => {
  it.each([
    { lingerMs: 10_000, perBlock: 10 },
    { lingerMs: 10_000, perBlock: 10, together: true },
    { lingerMs: 1000, perBlock: 1 },
    { lingerMs: 10_000, perBlock: 10, partitions: 4 },
  ])('with a linger of %j', ({ perBlock, ...scenario }) => {
    const { packed } = play({ ...live, ...scenario });
    expect(packed.readings / packed.blocks).toBeGreaterThan(0.95 * perBlock);
  });

  it('after a backlog, too', () => {
    const { packed } = play({ ...live, lingerMs: 10_000, queued: 3000, brokerWindow: 500 });
    expect(packed.readings / packed.blocks).toBeGreaterThan(9.5);
  });
});

it('half of our own window is written at once, for any broker', () => {
  const stall = new BrokerStall(100, () => 0);
  expect([49, 50].map((waiting) => stall.isFull(waiting))).toEqual([false, true]);
});

describe('silence', () => {
  function flushing(waiting: () => number) {
    const flushAll = jest.fn();
    const packer = {
      get waiting() {
        return waiting();
      },
      flushAll,
    };
    return { stall: new FlushOnStall({ window: 100, packer }), flushAll };
  }

  it('is looked at once', () => {
    const waiting = jest.fn(() => 1);
    const { stall } = flushing(waiting);
    stall.received();
    stall.packed();
    jest.advanceTimersByTime(10_000);
    expect(waiting).toHaveBeenCalledTimes(2);
  });

  it('counts from the registration of new devices, too', () => {
    let waiting = 0;
    const { stall, flushAll } = flushing(() => waiting);
    for (let message = 0; message < 20; message += 1) stall.received();
    jest.advanceTimersByTime(100);
    for (; waiting < 20; waiting += 1) stall.packed();
    expect(flushAll).not.toHaveBeenCalled();
    jest.advanceTimersByTime(quietMs);
    expect(flushAll).toHaveBeenCalledTimes(1);
  });
});
