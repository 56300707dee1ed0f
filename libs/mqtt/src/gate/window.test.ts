import { setImmediate as turn } from 'node:timers/promises';
import { generate } from 'mqtt-packet';
import { openGate, settled } from '../../test/open-gate.ts';
import { CompletePackets, splitPackets } from './frames.ts';
import type { Admission } from '../options/admission.ts';

const pingRequest = generate({ cmd: 'pingreq' });
const pingResponse = generate({ cmd: 'pingresp' });

/** A memory budget that is full on demand of the test. */
class SharedMemory implements Admission {
  isFull = false;
  readonly used = 0;
  readonly #listeners = new Set<() => void>();

  onFullChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  setFull(isFull: boolean): void {
    this.isFull = isFull;
    for (const listener of this.#listeners) listener();
  }
}

describe('a full window', () => {
  const message = (payload: string) =>
    generate({ cmd: 'publish', topic: 't', qos: 0, dup: false, retain: false, payload });

  /** A gate with a reader, as in mqtt.js. */
  function openReadGate(options: { window?: number; admission?: Admission }) {
    const opened = openGate(options);
    const received: Buffer[] = [];
    const splitter = new CompletePackets();
    opened.gate.on('data', (chunk: Buffer) => received.push(...splitPackets(splitter.push(chunk))));
    return { ...opened, received };
  }

  it('stops reading until enough is released', async () => {
    const { hold, broker, received } = openReadGate({ window: 2 });
    const releases = [hold(1), hold(2)];
    broker.write(message('late'));
    await settled();
    expect(received).toEqual([]);
    releases[0]?.();
    await settled();
    expect(received).toEqual([message('late')]);
  });

  it('is also full while other users occupy the memory budget', async () => {
    const admission = new SharedMemory();
    const [first, second] = [openReadGate({ admission }), openReadGate({ admission })];
    await settled();
    admission.setFull(true);
    first.broker.write(message('late'));
    second.broker.write(message('late'));
    await settled();
    expect([...first.received, ...second.received]).toEqual([]);
    admission.setFull(false);
    await settled();
    expect([first.received, second.received]).toEqual([[message('late')], [message('late')]]);
  });

  it('delays packets after the message that filled it', async () => {
    const admission = new SharedMemory();
    const { gate, broker, received } = openReadGate({ admission });
    gate.once('data', () => admission.setFull(true));
    const sent = Array.from({ length: 4000 }, (_, index) => message(`${index}`));
    broker.write(Buffer.concat(sent));
    await settled();
    expect(received.length).toBeGreaterThan(0);
    expect(received.length).toBeLessThan(100);
    admission.setFull(false);
    while (received.length < sent.length) await turn();
    expect(Buffer.concat(received).equals(Buffer.concat(sent))).toBe(true);
  });

  it('counts messages without acknowledgement too', async () => {
    const { hold, broker, received } = openReadGate({ window: 1 });
    hold();
    broker.write(message('late'));
    await settled();
    expect(received).toEqual([]);
  });

  it('responds once to a ping that was sent before it was full', async () => {
    const { gate, hold, received } = openReadGate({ window: 1 });
    gate.write(pingRequest);
    await settled();
    expect(received).toEqual([]);
    hold()();
    hold();
    await settled();
    expect(received).toEqual([pingResponse]);
  });

  it('sends no second response to a ping that the broker has answered', async () => {
    const { gate, hold, broker, received } = openReadGate({ window: 1 });
    gate.write(pingRequest);
    await settled();
    broker.write(pingResponse);
    await settled();
    hold();
    await settled();
    expect(received).toHaveLength(1);
  });

  it('is read while closing', async () => {
    const { gate, hold, broker, received } = openReadGate({ window: 1 });
    hold();
    gate.pauseReading();
    broker.write(message('late'));
    await settled();
    expect(received).toEqual([]);
    gate.readToEnd();
    hold();
    broker.write(message('later'));
    await settled();
    expect(received).toEqual([message('late'), message('later')]);
  });

  it('responds to pings instead of the broker, between packets, and only while it is full', async () => {
    const { gate, hold, broker, seen, received } = openReadGate({ window: 1 });
    gate.write(pingRequest);
    await settled();
    broker.write(pingResponse);
    await settled();
    const whole = message('the second half of this arrives later');
    broker.write(whole.subarray(0, 5));
    await settled();
    expect(received).toEqual([pingResponse]);
    const release = hold();
    gate.write(pingRequest);
    await settled();
    expect(received).toEqual([pingResponse, pingResponse]);
    expect(seen).toEqual([pingRequest, pingRequest]);
    release();
    broker.write(whole.subarray(5));
    await settled();
    expect(received.at(-1)).toEqual(whole);
  });
  it('responds to every ping while it is full, and none of the responses confirms an acknowledgement', async () => {
    const { gate, hold, broker, seen, received } = openReadGate({ window: 1 });
    const release = hold(1);
    broker.write(message('late'));
    const pings = 20;
    for (let ping = 1; ping <= pings; ping++) {
      gate.write(pingRequest);
      broker.write(pingResponse);
      await settled();
      expect(received).toHaveLength(ping);
      expect(gate.pings.takeAnswer()).toBe(false);
    }
    expect(seen).toEqual(Array.from({ length: pings }, () => pingRequest));
    release();
    await settled();
    expect(received.slice(pings)).toEqual([message('late'), ...seen.map(() => pingResponse)]);
    const confirmations = seen.map(() => gate.pings.takeAnswer());
    expect(confirmations).toEqual(seen.map((_, index) => index === pings - 1));
  });

  it("passes the broker's response to a ping only after the earlier messages", async () => {
    const admission = new SharedMemory();
    const { gate, broker, received } = openReadGate({ admission });
    gate.write(pingRequest);
    gate.once('data', () => admission.setFull(true));
    const sent = Array.from({ length: 100 }, (_, index) => message(`${index}`));
    broker.write(Buffer.concat([...sent, pingResponse]));
    await settled();
    expect(received.at(-1)).toEqual(pingResponse);
    expect(received.length).toBeLessThan(sent.length);
    expect(gate.pings.takeAnswer()).toBe(false);
    admission.setFull(false);
    while (received.length < sent.length + 2) await turn();
    expect(received.at(-1)).toEqual(pingResponse);
    expect(gate.pings.takeAnswer()).toBe(true);
  });
});
