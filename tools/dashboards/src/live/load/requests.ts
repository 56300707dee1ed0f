import { setTimeout as sleep } from 'node:timers/promises';
import { hotDevice } from './messages.ts';
import type { Component } from '../live-stack.ts';

/** Concurrent requests, beyond which the rate waits. */
const maxInFlight = 40;
/** Milliseconds between two checks of due requests. */
const tickMs = 20;

export interface LoadRequest {
  component: Component;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

/** A device whose key fails in the table: its requests are answered with 5xx. */
export const brokenDevice = 'broken-1';

/** Valid and invalid requests of users. @param number counted from 0 */
const questions: readonly ((number: number) => LoadRequest)[] = [
  (number) => ({ component: 'query', path: `/v1/devices/sensor-${number % 20}/latest?limit=5` }),
  () => ({ component: 'query', path: `/v1/devices/${hotDevice}/latest` }),
  (number) => ({
    component: 'query',
    path: `/v1/devices/sensor-${number % 20}/readings?limit=100`,
  }),
  () => ({ component: 'query', path: '/v1/devices/climate-tanaka-living/aggregates?every=PT1H' }),
  () => ({ component: 'query', path: '/v1/devices/sensor-1/readings?from=someday' }),
  (number) => ({ component: 'registry', path: `/v1/devices/sensor-${number % 20}` }),
  () => ({ component: 'registry', path: '/v1/devices?namePrefix=sensor&limit=20' }),
  () => ({ component: 'registry', path: '/v1/places/tanaka' }),
  () => ({ component: 'registry', path: '/v1/devices/nobody' }),
  (number) => ({
    component: 'registry',
    method: 'PATCH',
    path: `/v1/devices/sensor-${number % 20}`,
    body: { name: `sensor ${number}` },
  }),
  () => ({ component: 'catalog', path: '/v1/search/Artist/byName?prefix=d' }),
  () => ({ component: 'catalog', path: '/v1/search?q=love' }),
  () => ({ component: 'catalog', path: '/v1/entities/Artist/nobody' }),
  (number) => ({
    component: 'catalog',
    method: 'PUT',
    path: `/v1/entities/Artist/artist-${number}`,
    body: { attributes: { name: `The ${number}` } },
  }),
  (number) => ({
    component: 'ingestion',
    method: 'POST',
    path: '/v1/readings',
    body: [
      { device: `gateway-${number % 5}`, ts: Date.now(), power: number },
      { device: 'gateway-0', ts: 'someday', power: number },
    ],
  }),
  () => ({ component: 'ingestion', path: '/v1/deadLetters?limit=10' }),
];

export function usualQuestion(number: number): LoadRequest {
  const question = questions[number % questions.length];
  if (question === undefined) throw new Error('there are no questions');
  return question(Math.floor(number / questions.length));
}

export function brokenQuestion(): LoadRequest {
  return { component: 'query', path: `/v1/devices/${brokenDevice}/latest` };
}

export function newDevice(number: number): LoadRequest {
  const id = `lamp-${String(number).padStart(5, '0')}`;
  return { component: 'registry', method: 'POST', path: '/v1/devices', body: { id, name: id } };
}

export interface RequesterOptions {
  urls: Readonly<Record<Component, string>>;
  /** Requests a second. */
  rate: number;
  question: (number: number) => LoadRequest;
}

/** Sends requests at a rate until it is closed, regardless of the answers. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #closing = new AbortController();
  #underWay = 0;

  constructor(options: RequesterOptions) {
    this.#options = options;
    void this.#run();
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    let [at, due, number] = [performance.now(), 0, 0];
    while (!this.#closing.signal.aborted) {
      const now = performance.now();
      // Requests beyond the limit are dropped, not sent later.
      due = Math.min(due + ((now - at) * this.#options.rate) / 1000, maxInFlight);
      at = now;
      for (; due >= 1 && this.#underWay < maxInFlight; due -= 1) void this.#ask(number++);
      await sleep(tickMs);
    }
  }

  async #ask(number: number): Promise<void> {
    this.#underWay += 1;
    const { urls, question } = this.#options;
    try {
      await ask(urls, question(number), this.#closing.signal);
    } catch {
      // The requester or the service is closing; the metrics have the outcome.
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** @returns the answer's status and body */
export async function ask(
  urls: Readonly<Record<Component, string>>,
  { component, method = 'GET', path, body }: LoadRequest,
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${urls[component]}${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    ...(signal && { signal }),
  });
  return { status: answer.status, text: await answer.text() };
}
