import { setTimeout as sleep } from 'node:timers/promises';
import { nextPortion, workloadOf } from './loads.ts';
import { untilIdle } from './settle.ts';
import type { RunningProcess } from '@engawa/embedded';
import type { PeersOptions } from './options.ts';
import type { Peer } from './peer.ts';
import type { PeersRig } from './rig.ts';
import type { Stage } from './stage.ts';
import type { Verdict } from './verdict.ts';

export type KillOptions = Pick<PeersOptions, 'kills' | 'rate'>;

/** Range of milliseconds between two kills: longer than the slowest start of a peer. */
const minPauseMs = 2500;
const maxPauseMs = 5000;

/** Kills a peer while single readings arrive at a rate, and compares the stored readings with the published ones. */
export function measureKills(
  rig: PeersRig,
  peer: Peer,
  { kills, rate }: KillOptions,
): Promise<Verdict> {
  return rig.withStage(peer, 'engine', async (stage) => {
    const seconds = (kills * (minPauseMs + maxPauseMs)) / 2 / 1000;
    const portion = nextPortion(workloadOf({ readings: 1 }), 0, seconds * rate);
    const first = await stage.launch();
    await untilIdle(first);
    // The error of a failed publication is thrown by Promise.all, even during the kills.
    const publishing = stage.publisher.call('publish', { ...portion, rate });
    const [running] = await Promise.all([killRepeatedly(stage, first, kills), publishing]);
    return (await stage.untilStored(running, [portion])).verdict;
  });
}

/** @returns the last process, which is not killed */
async function killRepeatedly(
  stage: Stage,
  first: RunningProcess,
  kills: number,
): Promise<RunningProcess> {
  let running = first;
  for (let kill = 0; kill < kills; kill++) {
    await sleep(minPauseMs + Math.random() * (maxPauseMs - minPauseMs));
    await running.end('SIGKILL');
    running = await stage.launch();
  }
  return running;
}
