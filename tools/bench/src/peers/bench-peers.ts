import { OperatorError } from '@engawa/errors';
import { withRig } from '../with-rig.ts';
import { choosePeers } from './choose-peers.ts';
import { casesOf } from './loads.ts';
import { measureKills } from './measure-kills.ts';
import { measureLatency } from './measure-latency.ts';
import { countedPortions, measureLoad } from './measure-load.ts';
import { findingsOf, tablesOf } from './report-peers.ts';
import { emptyResults } from './results.ts';
import { PeersRig } from './rig.ts';
import type { Findings, Print } from '../report.ts';
import type { LoadCase } from './loads.ts';
import type { LoadRun } from './measure-load.ts';
import type { PeersOptions } from './options.ts';
import type { PeerResults } from './results.ts';

export async function benchPeers(options: PeersOptions, print: Print): Promise<Findings> {
  const { peers, skipped } = choosePeers(options, process.env);
  for (const line of skipped) print(line);
  if (peers.length === 0) throw new OperatorError('none of the requested peers can run');
  const results = peers.map(emptyResults);
  const failures = await withRig(new PeersRig(), (rig) => measure(rig, results, options, print));
  const notes = [...skipped, ...failures].map((note) => `- ${note}`);
  return {
    how: describe(options),
    findings: findingsOf(results),
    more: [...tablesOf(results), ...(notes.length > 0 ? [notes.join('\n')] : [])],
  };
}

type MeasurePeer = (peer: PeerResults) => Promise<string>;

/** Peers take turns, so that the load of the machine affects all of them. @returns failures of single measurements */
async function measure(
  rig: PeersRig,
  results: readonly PeerResults[],
  options: PeersOptions,
  print: Print,
): Promise<string[]> {
  const failures: string[] = [];
  const forEach = async (what: string, measurePeer: MeasurePeer): Promise<void> => {
    for (const peer of results) {
      try {
        print(`${what}, ${peer.peer.name}: ${await measurePeer(peer)}`);
      } catch (error) {
        failures.push(`${what}, ${peer.peer.name} failed: ${String(error)}`);
        print(failures.at(-1) ?? '');
      }
    }
  };
  const { only, repetitions } = options;
  for (const loadCase of casesOf(options.arrays)) {
    for (let run = 1; only.includes('cpu') && run <= repetitions; run++) {
      await forEach(`CPU, ${loadCase.name}, ${run} of ${repetitions}`, (peer) =>
        addLoad(rig, peer, loadCase, options),
      );
    }
    if (only.includes('units')) {
      await forEach(`units, ${loadCase.name}`, (peer) => addCounted(rig, peer, loadCase));
    }
  }
  if (only.includes('kills')) await forEach('kills', (peer) => addKills(rig, peer, options));
  if (only.includes('latency')) await forEach('latency', (peer) => addLatency(rig, peer, options));
  return failures;
}

async function addLoad(
  rig: PeersRig,
  { peer, loads }: PeerResults,
  loadCase: LoadCase,
  options: PeersOptions,
): Promise<string> {
  const run = await measureLoad(rig, peer, loadCase, options, false);
  loads.set(loadCase.name, [...(loads.get(loadCase.name) ?? []), run]);
  return `${run.cpu.toFixed(1)} µs per reading (${run.coldCpu.toFixed(1)} during the warm-up), ${lossesOf(run)}`;
}

async function addCounted(
  rig: PeersRig,
  { peer, counted }: PeerResults,
  loadCase: LoadCase,
): Promise<string> {
  const run = await measureLoad(rig, peer, loadCase, countedPortions, true);
  counted.set(loadCase.name, run);
  const { requests = NaN, writeUnits = NaN, readUnits = NaN } = run.consumption ?? {};
  return (
    `${requests.toFixed(4)} requests, ${writeUnits.toFixed(4)} write units and ` +
    `${readUnits.toFixed(4)} read units per reading, ${lossesOf(run)}`
  );
}

async function addKills(rig: PeersRig, results: PeerResults, options: PeersOptions) {
  const verdict = await measureKills(rig, results.peer, options);
  results.kills = verdict;
  return `${lossesOf(verdict)}, ${verdict.doubled} doubled of ${verdict.published}`;
}

async function addLatency(rig: PeersRig, results: PeerResults, options: PeersOptions) {
  results.latency = await measureLatency(rig, results.peer, options);
  return `${results.latency.latencies.length} readings stored, ${results.latency.lost} not`;
}

function lossesOf({ lost, changed }: Pick<LoadRun, 'lost' | 'changed'>): string {
  return `${lost} lost, ${changed} changed`;
}

function describe({ readings, warmUp, repetitions, kills, rate, seconds }: PeersOptions): string {
  return (
    `Mosquitto, embedded DynamoDB engine, ${readings} readings per measured portion after ${warmUp} of warm-up, ` +
    `${repetitions} repetitions (median and extremes); ${kills} kills; ` +
    `${rate} readings per second for kills and for ${seconds} s of latency`
  );
}
