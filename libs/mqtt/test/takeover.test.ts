import { startRawBroker, until } from '@engawa/testing';
import { ReconnectDelay } from '../src/connection/reconnect-delay.ts';
import { startSubscriber } from './start-subscriber.ts';

const sessionTakenOver = 0x8e;
const serverBusy = 0x89;

/** A clock that the test moves, and the delay after connections that lasted so long. */
function delays() {
  let now = 0;
  let takeovers = 0;
  const delay = new ReconnectDelay(
    () => (takeovers += 1),
    () => now,
  );
  const lost = (lastedMs: number, reasonCode?: number): number => {
    delay.subscribed();
    now += lastedMs;
    if (reasonCode !== undefined) delay.endedByBroker(reasonCode);
    return delay.nextMs();
  };
  const lasts = (ms: number) => {
    delay.subscribed();
    now += ms;
  };
  return { delay, lost, lasts, takeovers: () => takeovers };
}

describe('another client with the same client identifier', () => {
  it('is a conflict from its second takeover on: the first may be a successor', () => {
    const { delay, lost, takeovers } = delays();
    lost(60_000, sessionTakenOver);
    expect([delay.isInConflict, takeovers()]).toEqual([false, 1]);
    lost(60_000, sessionTakenOver);
    expect([delay.isInConflict, takeovers()]).toEqual([true, 2]);
  });

  it('is assumed after four short connections that end without a reason', () => {
    const { delay, lost, takeovers } = delays();
    const found = [1, 2, 3, 4].map(() => (lost(1000), delay.isInConflict));
    expect(found).toEqual([false, false, false, true]);
    expect(takeovers()).toBe(1);
  });

  it('is not assumed where connections last, or the broker has another reason', () => {
    const { delay, lost, takeovers } = delays();
    for (let count = 0; count < 5; count++) lost(11_000);
    for (let count = 0; count < 5; count++) lost(1000, serverBusy);
    expect([delay.isInConflict, takeovers()]).toEqual([false, 0]);
  });

  it('is over when a connection lasts for five minutes', () => {
    const { delay, lost, lasts } = delays();
    for (let count = 0; count < 2; count++) lost(1000, sessionTakenOver);
    lasts(299_000);
    expect(delay.isInConflict).toBe(true);
    lasts(2000);
    expect(delay.isInConflict).toBe(false);
  });

  it('delays the next connection, longer each time', () => {
    const { lost } = delays();
    const all = [1, 2, 3, 4, 5].map(() => lost(1000, sessionTakenOver));
    for (const [index, delayMs] of all.entries())
      expect(delayMs).toBeGreaterThanOrEqual(Math.min(30_000, 2500 * 2 ** index));
  });

  it.each(['5', '3.1.1'] as const)('is named and counted over MQTT %s', async (version) => {
    const broker = await startRawBroker({}, version === '5' ? 5 : 4);
    const { subscriber, registry } = startSubscriber(broker.url, { version });
    const subscriptions = () => broker.seen.filter((cmd) => cmd === 'subscribe').length;
    for (let cut = 1; subscriber.conflict() === undefined; cut++) {
      await until('the subscription', () => subscriptions() === cut);
      await until('its grant', () => subscriber.unavailableReason() === undefined);
      if (version === '5') broker.send({ cmd: 'disconnect', reasonCode: sessionTakenOver });
      broker.connections.at(-1)?.end();
      await until('the loss', () => subscriber.unavailableReason() !== undefined);
    }
    const words = 'another client uses this MQTT_CLIENT_ID (engawa-test-0)';
    expect(subscriber.unavailableReason()).toContain(words);
    const takeovers = await registry.getSingleMetricAsString('engawa_mqtt_takeovers_total');
    expect(takeovers).toMatch(/total [12]$/);
    // A conflict is still reported over the next connection.
    await until('the connection', () => subscriber.unavailableReason() === undefined);
    expect(subscriber.conflict()).toContain(words);
    await subscriber.close();
    await broker.close();
  });
});
