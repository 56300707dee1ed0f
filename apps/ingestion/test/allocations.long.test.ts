import {
  describeOnEmbedded,
  describeWithMosquitto,
  freePort,
  openBeforeEach,
} from '@engawa/testing';
import { HeapSampler } from './heap-sampler.ts';
import { MemoryFixture } from './memory-fixture.ts';

const fixture = openBeforeEach(() => MemoryFixture.open());

/** Messages before the measurement, in which devices are registered and code is compiled. */
const warmUp = 3000;
const measured = 5000;

/** Files on the path of a message. */
const path =
  /\/(libs\/mqtt|apps\/ingestion\/src\/(pipeline|intake|storing)|libs\/table\/src\/(write|client))/;

/**
 * Bytes of V8's heap that a message of one reading may allocate, from its receipt to its acknowledgement. Measured:
 * 26,000 to 28,000 (Node 24.21), of which mqtt.js takes 5,000; buffers are not in V8's heap.
 */
const maxBytesOfMessage = 35_000;

describeOnEmbedded('starts ingestion as a process', 'the cost of a message', () => {
  describeWithMosquitto('with one reading', () => {
    it('is few allocations', async () => {
      const port = await freePort();
      await fixture.start([`--inspect=127.0.0.1:${port}`]);
      const start = Date.now();
      await fixture.publish(warmUp, 1, start);
      await fixture.untilStored(warmUp);
      const sampler = await HeapSampler.connect(port);
      await sampler.start();
      await fixture.publish(measured, 1, start + warmUp * 1000);
      await fixture.untilStored(warmUp + measured);
      const bytes = await sampler.stop(path);
      sampler.close();
      expect(bytes / measured).toBeGreaterThan(1000);
      expect(bytes / measured).toBeLessThan(maxBytesOfMessage);
    });
  });
});
