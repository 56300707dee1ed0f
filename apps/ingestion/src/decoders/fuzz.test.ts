import { readFileSync } from 'node:fs';
import { encode } from 'cborg';
import { Decimal } from '@engawa/model';
import { announcedSeed, randomFrom, someOrAll } from '@engawa/testing';
import { atOnce, newDecoders, receivedAt } from '../../test/decoding.ts';
import { mutate, pick } from '../../test/mutations.ts';
import { checkReading } from '../intake/check-reading.ts';
import { decodeMessage, routeOf } from '../intake/decode-message.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Decoder } from './decoder.ts';

const payloads = someOrAll(10_000, 100_000);
/** Bytes, as MQTT_MAX_PACKET_BYTES. */
const maxPacketBytes = 256 * 1024;
const seed = announcedSeed('decoders');
const limits = { maxAgeMs: 3650 * 86_400_000, maxAheadMs: 86_400_000 };

interface Sample {
  topic: string;
  payload: Buffer;
}

interface Fixture {
  topic: string;
  payload?: unknown;
  payloadText?: string;
  payloadHex?: string;
}

function samples(): Sample[] {
  return ['devices', 'more-devices'].flatMap((file) =>
    readFileSync(`${__dirname}/../../test/fixtures/${file}.jsonl`, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => samplesOf(JSON.parse(line) as Fixture)),
  );
}

function samplesOf({ topic, payload, payloadText, payloadHex }: Fixture): Sample[] {
  if (payloadHex !== undefined) return [{ topic, payload: Buffer.from(payloadHex, 'hex') }];
  if (payloadText !== undefined) return [{ topic, payload: Buffer.from(payloadText) }];
  return [
    { topic, payload: Buffer.from(JSON.stringify(payload)) },
    { topic, payload: Buffer.from(encode(payload)) },
  ];
}

const outcomes = {
  readings: 0,
  ignored: 0,
  'readings and refusals': 0,
  refused: 0,
  'no decoder': 0,
};

function outcomeOf(
  decoders: readonly Decoder[],
  { topic, payload }: Sample,
): keyof typeof outcomes {
  const route = routeOf(decoders, topic);
  if (route === undefined) return 'no decoder';
  const drafts = attempt(() => atOnce(decodeMessage(route, payload)).drafts);
  if (drafts === undefined) return 'refused';
  if (drafts.length === 0) return 'ignored';
  const readings = drafts.map((draft) => attempt(() => checkReading(draft, receivedAt, limits)));
  const good = readings.filter((reading) => reading !== undefined);
  for (const { time, fields } of good) {
    if (!Number.isSafeInteger(time)) throw new Error(`a time of ${time}`);
    if (Object.getPrototypeOf(fields) !== Object.prototype) throw new Error('another prototype');
    for (const value of Object.values(fields)) checkValue(value);
  }
  if (good.length === 0) return 'refused';
  return good.length < readings.length ? 'readings and refusals' : 'readings';
}

/** Undefined when it is refused as expected. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

function checkValue(value: unknown): void {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (!(value instanceof Decimal)) throw new Error(`a field of the type ${typeof value}`);
}

function prototypes(): string {
  const own = [
    Object.prototype,
    Array.prototype,
    Function.prototype,
    Map.prototype,
    Uint8Array.prototype,
  ];
  return JSON.stringify(own.map((prototype) => Reflect.ownKeys(prototype).map(String)));
}

/** Encodes parsed JSON as CBOR. */
function asCbor(payload: Buffer): Buffer {
  try {
    return Buffer.from(encode(JSON.parse(payload.toString())));
  } catch {
    return payload;
  }
}

// Jest keeps 100 calls of each error, which would take most of the time.
Error.stackTraceLimit = 10;

describe('any published payload', () => {
  it(`ends as readings, ignored or refused, ${payloads} times`, () => {
    const random = randomFrom(seed);
    const originals = samples();
    const decoders = newDecoders();
    const before = prototypes();
    const started = performance.now();
    let slowest = 0;
    for (let count = 0; count < payloads; count += 1) {
      const { topic, payload } = pick(random, originals);
      // Sometimes the payload of one kind on a topic of another.
      const mutated = mutate(payload, random).subarray(0, maxPacketBytes);
      const mutant = {
        topic: random() < 0.05 ? pick(random, originals).topic : topic,
        payload: random() < 0.1 ? asCbor(mutated) : mutated,
      };
      const begun = performance.now();
      try {
        outcomes[outcomeOf(decoders, mutant)] += 1;
      } catch (error) {
        const hex = mutant.payload.subarray(0, 2000).toString('hex');
        throw new Error(`SEED=${seed} ${mutant.topic} ${hex}`, { cause: error });
      }
      slowest = Math.max(slowest, performance.now() - begun);
    }
    expect(prototypes()).toBe(before);
    const [all, worst] = [performance.now() - started, slowest].map(Math.round);
    process.stdout.write(
      `SEED=${seed}: ${JSON.stringify(outcomes)} in ${all} ms, the slowest in ${worst} ms\n`,
    );
    for (const outcome of ['readings', 'ignored', 'readings and refusals', 'refused'] as const) {
      expect(outcomes[outcome]).toBeGreaterThan(payloads / 1000);
    }
  });
});
