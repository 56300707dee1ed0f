import { describeWithMosquitto } from '@engawa/testing';
import { choosePeers } from '../src/peers/choose-peers.ts';
import { measureLatency } from '../src/peers/measure-latency.ts';
import { measureLoad } from '../src/peers/measure-load.ts';
import { PeersRig } from '../src/peers/rig.ts';
import type { PeerName } from '../src/peers/peer.ts';

const options = { readings: 400, warmUp: 200 };

function peerNamed(name: PeerName) {
  const [peer] = choosePeers({ peers: [name], node: [], profile: undefined }, {}).peers;
  if (peer === undefined) throw new Error(`no peer ${name}`);
  return peer;
}

describeWithMosquitto('the comparison with peers', () => {
  const rig = new PeersRig();
  afterAll(() => rig.close());

  // Both at once: most of the time is spent waiting until a process is idle.
  it('reads back all readings of naive and engawa, and counts their requests and units', async () => {
    const run = (name: PeerName, readings: number) =>
      measureLoad(rig, peerNamed(name), { name, readings }, options, true);
    const [naive, engawa] = await Promise.all([run('naive', 1), run('engawa', 10)]);
    for (const { lost, changed, cpu, idleMemory, peakMemory } of [naive, engawa]) {
      expect([lost, changed]).toEqual([0, 0]);
      expect(cpu).toBeGreaterThan(0);
      expect(peakMemory).toBeGreaterThanOrEqual(idleMemory);
    }
    expect(naive.consumption).toEqual({ requests: 1, writeUnits: 1, readUnits: 0 });
    // Ten readings share a block; more of them only if the linger ends late.
    expect(engawa.consumption?.writeUnits).toBeGreaterThan(0);
    expect(engawa.consumption?.writeUnits).toBeLessThanOrEqual(0.2);
    expect(engawa.consumption?.requests).toBeLessThan(0.2);
  });

  it('observes when the readings of naive and engawa are stored', async () => {
    const run = (name: PeerName) => measureLatency(rig, peerNamed(name), { rate: 200, seconds: 2 });
    for (const { lost, latencies } of await Promise.all([run('naive'), run('engawa-no-linger')])) {
      expect(lost).toBe(0);
      expect(latencies).toHaveLength(400);
      expect(Math.min(...latencies)).toBeGreaterThan(0);
    }
  });
});
