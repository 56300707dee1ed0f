import { describeOnEmbedded, describeWithMosquitto, openBeforeEach, until } from '@engawa/testing';
import { MemoryFixture } from './memory-fixture.ts';

const fixture = openBeforeEach(() => MemoryFixture.open());

/** Megabytes of old space; the idle service uses 44. */
const heap = 72;
const messages = 700;
const readings = 150;

const reason = 'stops and restarts the engine';
describeOnEmbedded(reason, 'a heap with an upper bound', () => {
  describeWithMosquitto('messages that would fill the heap several times', () => {
    it('wait at the broker while the table is unavailable, and are stored once each', async () => {
      await fixture.start([`--max-old-space-size=${heap}`, '--max-semi-space-size=4']);
      await fixture.stopTable();
      await fixture.publish(messages, readings, Date.now() - messages * readings * 1000);
      const { child } = fixture;
      const received = () => child.metric('engawa_ingest_received_messages_total');
      const isFull = async () => {
        if (!child.isRunning) throw new Error('ingestion ended');
        if ((await received()) === messages) return true;
        return (await child.metric('engawa_ingest_memory_used_ratio')) >= 1;
      };
      await until('all of them, or memory in use', isFull, { progress: received });
      await fixture.restartTable();
      const all = messages * readings;
      await fixture.untilStored(all);
      expect(await fixture.readings()).toEqual({ all, different: all });
    });
  });
});
