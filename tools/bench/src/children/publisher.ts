// Publishes at QoS 1, as fast as the broker takes it or at a rate.
import { connectAsync } from 'mqtt';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../serve.ts';
import { messageOf } from '../workload.ts';
import type { Portion } from '../workload.ts';

/** Messages that wait for the broker's acknowledgement at once. */
const window = 500;
/** Milliseconds between two checks for due messages. */
const tickMs = 5;

export interface PublishInput extends Portion {
  /** Messages a second; as many as the broker takes when absent. */
  rate?: number;
}

export interface PublisherMethods {
  /**
   * Resolves when the broker has acknowledged all of it.
   * @returns epoch milliseconds at which the first message was due; with a rate, later messages are due at equal
   * intervals after it
   */
  publish(input: PublishInput): Promise<number>;
}

const { url } = JSON.parse(process.argv[2] ?? '{}') as { url: string };
const client = await connectAsync(url);

async function publishOne({ workload }: Portion, number: number): Promise<void> {
  const { topic, payload } = messageOf(workload, number);
  await client.publishAsync(topic, payload, { qos: 1 });
}

async function publishFast(input: PublishInput): Promise<number> {
  const start = performance.now();
  let next = input.from;
  const end = input.from + input.count;
  const publishNext = async (): Promise<void> => {
    while (next < end) await publishOne(input, next++);
  };
  await Promise.all(Array.from({ length: window }, publishNext));
  return performance.timeOrigin + start;
}

async function publishAtRate(input: PublishInput, rate: number): Promise<number> {
  const start = performance.now();
  const sent: Promise<void>[] = [];
  while (sent.length < input.count) {
    const due = Math.min(input.count, Math.ceil(((performance.now() - start) * rate) / 1000));
    while (sent.length < due) sent.push(publishOne(input, input.from + sent.length));
    await sleep(tickMs);
  }
  await Promise.all(sent);
  return performance.timeOrigin + start;
}

const methods: PublisherMethods = {
  publish: (input) =>
    input.rate === undefined ? publishFast(input) : publishAtRate(input, input.rate),
};
serve(methods);
