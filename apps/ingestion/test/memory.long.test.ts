import { describeWithMosquitto } from '@engawa/testing';
import { chartNodeOptions } from './ingestion-child.ts';
import { arrayOf, MemoryScene } from './memory-scene.ts';

let scene: MemoryScene;
beforeEach(async () => (scene = await MemoryScene.open()));
afterEach(() => scene.close());

/** A body of 9.4 MB, of the 10 that are taken. */
const readingsOfUpload = 175_000;
const uploads = 16;
const hour = 3_600_000;

/** Sends it until it is taken: a client that is told to come again does. */
async function upload(device: string, body: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${scene.child.api}/v1/readings?device=${device}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (answer.status === 202) return;
    expect({ status: answer.status, isRunning: scene.child.isRunning }).toEqual({
      status: 503,
      isRunning: true,
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

describeWithMosquitto('with the heap that the chart gives it, ingestion', () => {
  it('works off 2,500 messages of 150 readings, and stores each once', async () => {
    const [messages, readings] = [2500, 150];
    const all = messages * readings;
    await scene.openSession();
    await scene.publish(messages, readings, Date.now() - 24 * hour);
    await scene.start(chartNodeOptions());
    await scene.untilStored(all);
    expect(await scene.readings()).toEqual({ all, different: all });
  });

  it('takes 16 bodies of 9.4 MB at once beside messages, and stores each reading once', async () => {
    const [messages, readings] = [200, 150];
    const start = Date.now() - 72 * hour;
    await scene.openSession();
    await scene.publish(messages, readings, start);
    await scene.start(chartNodeOptions());
    const body = arrayOf(0, readingsOfUpload, start);
    expect(body.length).toBeGreaterThan(9_000_000);
    const names = Array.from({ length: uploads }, (_, number) => `upload-${number}`);
    await Promise.all(names.map((name) => upload(name, body)));
    for (const name of names) {
      const once = { all: readingsOfUpload, different: readingsOfUpload };
      expect(await scene.readingsOf(name)).toEqual(once);
    }
    const all = messages * readings;
    expect(await scene.readings()).toEqual({ all, different: all });
  });
});
