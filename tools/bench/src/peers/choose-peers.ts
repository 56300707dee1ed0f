import { engawaPeer } from './engawa-peer.ts';
import { carefulPeer, enginePeer, naivePeer } from './plain-peers.ts';
import type { Peer, PeerName } from './peer.ts';
import type { PeersOptions } from './options.ts';

export interface ChosenPeers {
  peers: Peer[];
  /** Requested peers that cannot run, with the reason. */
  skipped: string[];
}

type Choice = Pick<PeersOptions, 'peers' | 'node' | 'profile'>;

/** @param environment names the programs that are not part of this repository */
export function choosePeers(choice: Choice, environment: NodeJS.ProcessEnv): ChosenPeers {
  const peers: Peer[] = [];
  const skipped: string[] = [];
  for (const name of choice.peers) {
    const peer = createPeer(name, choice, environment);
    if (typeof peer === 'string') skipped.push(`${name} is skipped: ${peer}`);
    else peers.push(peer);
  }
  return { peers, skipped };
}

/** @returns the reason if the peer cannot run */
function createPeer(name: PeerName, choice: Choice, environment: NodeJS.ProcessEnv): Peer | string {
  const { BENCH_PYTHON, BENCH_ENGINE, BENCH_ENGINE_CONFIG } = environment;
  switch (name) {
    case 'naive':
      return naivePeer();
    case 'careful':
      if (BENCH_PYTHON !== undefined) return carefulPeer(BENCH_PYTHON);
      return 'BENCH_PYTHON does not name a Python interpreter with paho-mqtt and boto3';
    case 'engine':
      if (BENCH_ENGINE !== undefined) return enginePeer(BENCH_ENGINE, BENCH_ENGINE_CONFIG);
      return 'BENCH_ENGINE does not name the binary of a stream processor, such as Bento';
    case 'engawa':
      return engawa(name, 'ingestion with the settings of the chart', choice, {});
    case 'engawa-no-linger':
      return engawa(name, 'ingestion with LINGER_MS=0', choice, { LINGER_MS: '0' });
  }
}

function engawa(
  name: 'engawa' | 'engawa-no-linger',
  about: string,
  { node, profile }: Choice,
  environment: Record<string, string>,
): Peer {
  const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  return engawaPeer({ name, about, environment, nodeOptions: [...node, ...profiling] });
}
