import { setTimeout as after } from 'node:timers/promises';
import type { Message } from './message.ts';
import { topicOf } from './message.ts';
import type { Publisher } from './publisher.ts';

export interface LoadOptions {
  publisher: Publisher;
  /** Readings a second over all devices. */
  rate: number;
  /** Number of devices, `load-0001` and so on, which publish in turn. */
  devices: number;
  signal: AbortSignal;
  print: (line: string) => void;
}

const tickMilliseconds = 5;
const reportMilliseconds = 2000;
const inWords = (count: number): string => Math.round(count).toLocaleString('en');

/** The reading with this number; `sequence` distinguishes two of a device in one millisecond. */
export function loadMessage(sequence: number, devices: number, time: number): Message {
  const device = `load-${String((sequence % devices) + 1).padStart(4, '0')}`;
  const phase = (time / 86_400_000) * 2 * Math.PI + (sequence % devices);
  const fields = {
    temperature: Math.round(200 + 50 * Math.sin(phase)) / 10,
    humidity: Math.round(500 + 150 * Math.cos(phase)) / 10,
    sequence,
  };
  return { topic: topicOf(device), payload: JSON.stringify({ ts: time, ...fields }) };
}

/** Prints every two seconds how many were sent and acknowledged since the last line. */
function startReports({ publisher, rate, print }: LoadOptions, due: () => number): () => void {
  let last = { time: performance.now(), sent: 0, acknowledged: 0 };
  const timer = setInterval(() => {
    const { sent, acknowledged, inFlight } = publisher;
    const time = performance.now();
    const perSecond = (count: number): string => inWords((count * 1000) / (time - last.time));
    print(
      `load ${inWords(rate)}/s: sent ${perSecond(sent - last.sent)}/s, ` +
        `acknowledged ${perSecond(acknowledged - last.acknowledged)}/s, ` +
        `${inFlight} on the way, ${inWords(due() - sent)} behind`,
    );
    last = { time, sent, acknowledged };
  }, reportMilliseconds);
  return () => {
    clearInterval(timer);
  };
}

/**
 * Publishes single readings at a constant rate until the signal aborts. Readings that could not be sent in
 * time are sent as soon as possible; only their number is kept in memory.
 */
export async function generateLoad(options: LoadOptions): Promise<void> {
  const { publisher, rate, devices, signal, print } = options;
  // The schedule starts with the connection, so that the load does not start late.
  await publisher.connected(signal);
  const began = performance.now();
  const beganAt = Date.now();
  const due = (): number => Math.floor(((performance.now() - began) * rate) / 1000);
  const stopReports = startReports(options, due);
  try {
    for (let sequence = 0; ;) {
      for (const end = due(); sequence < end; sequence += 1) {
        const time = Math.floor(beganAt + (sequence * 1000) / rate);
        await publisher.publish(loadMessage(sequence, devices, time), signal);
      }
      await after(tickMilliseconds, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopReports();
  }
  const seconds = (performance.now() - began) / 1000;
  await publisher.close();
  const { sent, acknowledged, refused } = publisher;
  print(
    `load ended: ${inWords(sent)} sent, ${inWords(acknowledged)} acknowledged, ${refused} refused ` +
      `in ${seconds.toFixed(1)} s (${inWords(sent / seconds)}/s)`,
  );
}
