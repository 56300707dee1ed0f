import { deviceKey } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { openBeforeAll, until } from '@engawa/testing';
import { fieldPayloads } from './field-payloads.ts';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Document, Reading } from '@engawa/model';
import type {
  ExpectedDeadLetter,
  ExpectedReading,
  FieldMessage,
  FieldPayload,
  LeftOutValue,
} from './field-payloads.ts';

interface DeadLetterResponse {
  topic: string;
  reason: string;
  detail: string;
  indexes?: number[];
  leftOut?: LeftOutValue[];
}

const settings = { TASMOTA_TIME_ZONE: 'Europe/Berlin' };
const begun = Date.now();
const payloads = fieldPayloads(begun);
const tested = payloads.filter(({ todo }) => todo === undefined);
const nameOf = ({ id, right, needs, source }: FieldPayload) =>
  `${id}: ${right}${needs === undefined ? '' : ` (with a ${needs})`}, ${source}`;

const fixture = openBeforeAll(() => IngestionFixture.open());
let deadLetters: DeadLetterResponse[];
let ended: number;

beforeAll(async () => {
  await fixture.start(settings);
  await sendQueued();
  for (const { messages } of tested) {
    for (const message of messages.filter(({ queued }) => queued !== true)) await send(message);
  }
  await fixture.settled(sumOf(countsOf(tested)));
  ended = Date.now();
  deadLetters = await allDeadLetters();
});

async function sendQueued(): Promise<void> {
  const queued = tested.flatMap(({ messages }) => messages).filter((message) => message.queued);
  if (queued.length === 0) return;
  await fixture.service?.close();
  for (const message of queued) await send(message);
  await fixture.start(settings);
}

async function send({ post, times = 1, each, ...message }: FieldMessage): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const before = await received();
    if (post !== undefined) await fixture.post(post, message.text ?? null);
    else await publish(message);
    if (each !== undefined) await fixture.settled(before + 1);
  }
}

async function publish({ topic = '', text = '', hex, qos = 1 }: FieldMessage): Promise<void> {
  const payload = hex === undefined ? text : Buffer.from(hex, 'hex');
  await fixture.device.publishAsync(topic, payload, { qos });
}

const received = () => fixture.metric('engawa_ingest_messages_total');

async function allDeadLetters(): Promise<DeadLetterResponse[]> {
  const all: DeadLetterResponse[] = [];
  let cursor: string | undefined;
  do {
    const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await fixture.ask(`/v1/deadLetters?limit=100${page}`);
    const answer = body as { items: DeadLetterResponse[]; cursor?: string };
    all.push(...answer.items);
    ({ cursor } = answer);
  } while (cursor !== undefined);
  return all;
}

function countsOf(lines: readonly FieldPayload[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [outcome, count] of lines.flatMap(({ outcomes }) => Object.entries(outcomes))) {
    counts[outcome] = (counts[outcome] ?? 0) + count;
  }
  return counts;
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The stored readings; a time of receipt is shown as none. */
function shown(device: string, { time, fields }: Reading): ExpectedReading {
  const isReceipt = time >= begun && time <= ended;
  return { device, ...(!isReceipt && { time: new Date(time).toISOString() }), fields };
}

async function storedIn({ readings }: FieldPayload): Promise<ExpectedReading[]> {
  const devices = [...new Set(readings.map(({ device }) => device))];
  const stored = await Promise.all(
    devices.map(async (device) =>
      (await fixture.readingsOf(device)).map((reading) => shown(device, reading)),
    ),
  );
  return stored.flat();
}

/** In one order, unless the order of the readings matters. */
function inOrder(readings: readonly ExpectedReading[], { ordered }: FieldPayload) {
  if (ordered === true) return readings;
  const text = ({ time, fields }: ExpectedReading) =>
    JSON.stringify([time, Object.entries(fields).sort()]);
  return readings.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** All left-out values are named. */
function letterLike({ mentions = '', leftOut, ...given }: ExpectedDeadLetter): unknown {
  const valueLike = (value: LeftOutValue): unknown => expect.objectContaining(value);
  return expect.objectContaining({
    ...given,
    detail: expect.stringContaining(mentions) as string,
    ...(leftOut && { leftOut: leftOut.map(valueLike) }),
  });
}

async function untilItem(device: string, what: string, isTrue: (item: Document) => boolean) {
  await until(`${what} of ${device}`, async () => {
    return isTrue((await fixture.table.get(deviceKey(device))) ?? {});
  });
}

describe('payloads of public bug reports', () => {
  it.each(tested.map((line) => [nameOf(line), line] as const))('%s', async (_name, line) => {
    const { messages, readings, kinds = {}, deadLetters: expected = [] } = line;
    expect(inOrder(await storedIn(line), line)).toEqual(inOrder(readings, line));
    const topics = new Set(messages.map(({ topic }) => topic));
    expect(deadLetters.filter(({ topic }) => topics.has(topic))).toEqual(expected.map(letterLike));
    for (const [device, kind] of Object.entries(kinds)) {
      await untilItem(device, `the kind ${kind}`, (item) => item['kind'] === kind);
    }
    for (const device of line.ahead ?? []) {
      await untilItem(
        device,
        'a clock ahead',
        (item) => parseDevice(item).clockAhead !== undefined,
      );
    }
  });

  it('have these outcomes and no others', async () => {
    const counts = countsOf(tested);
    const outcomes = ['stored', 'dead_lettered', 'ignored', 'unrecognized'] as const;
    for (const outcome of outcomes) {
      const count = await fixture.metric('engawa_ingest_messages_total', { outcome });
      expect([outcome, count]).toEqual([outcome, counts[outcome] ?? 0]);
    }
    expect(await received()).toBe(sumOf(counts));
  });

  for (const line of payloads) {
    if (line.todo !== undefined) it.todo(`${nameOf(line)}: ${line.todo}`);
  }
});
