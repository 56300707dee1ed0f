import { chartHeap, describeWithMosquitto, openBeforeEach, until } from '@engawa/testing';
import { arrayOf, MemoryFixture } from './memory-fixture.ts';

const fixture = openBeforeEach(() => MemoryFixture.open());

/** A body of 9.4 MB; the maximum is 10 MB. */
const readingsOfUpload = 175_000;
const uploads = 16;
/** Number of readings in a body that is stored within a request, however busy the machine. */
const readingsOfPart = 5000;
const hour = 3_600_000;

/** @returns whether the body was stored; if not, the client is told to send it again later */
async function upload(device: string, body: string): Promise<boolean> {
  const answer = await fetch(`${fixture.child.api}/v1/readings?device=${device}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  if (answer.status === 202) return true;
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  return false;
}

/** In small bodies, one after the other, each until it is stored. */
async function uploadInParts(device: string, start: number): Promise<void> {
  for (let from = 0; from < readingsOfUpload; from += readingsOfPart) {
    const body = arrayOf(from, readingsOfPart, start);
    await until(`${device} from ${from} on`, () => upload(device, body));
  }
}

describeWithMosquitto('with the heap of the chart, ingestion', () => {
  it('stores 2,500 messages of 150 readings, each once', async () => {
    const [messages, readings] = [2500, 150];
    const all = messages * readings;
    await fixture.openSession();
    await fixture.publish(messages, readings, Date.now() - 24 * hour);
    await fixture.start(chartHeap().nodeOptions);
    await fixture.untilStored(all);
    expect(await fixture.readings()).toEqual({ all, different: all });
  });

  it('survives 16 bodies of 9.4 MB at once together with messages, and stores acknowledged readings once', async () => {
    const [messages, readings] = [200, 150];
    const start = Date.now() - 72 * hour;
    await fixture.openSession();
    await fixture.publish(messages, readings, start);
    await fixture.start(chartHeap().nodeOptions);
    const body = arrayOf(0, readingsOfUpload, start);
    expect(body.length).toBeGreaterThan(9_000_000);
    const names = Array.from({ length: uploads }, (_, number) => `upload-${number}`);
    const taken = await Promise.all(names.map((name) => upload(name, body)));
    expect(fixture.child.isRunning).toBe(true);
    await uploadInParts('upload-0', start);
    for (const [number, name] of names.entries()) {
      const { all, different } = await fixture.readingsOf(name);
      // An upload that is sent again is in further blocks, and readers remove its readings.
      if (number > 0) expect(all).toBe(different);
      if (number === 0 || taken[number] === true) expect(different).toBe(readingsOfUpload);
    }
    const all = messages * readings;
    expect(await fixture.readings()).toEqual({ all, different: all });
  });
});
