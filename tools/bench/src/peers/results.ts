import type { LoadRun } from './measure-load.ts';
import type { Latencies } from './measure-latency.ts';
import type { Peer } from './peer.ts';
import type { Verdict } from './verdict.ts';

/** The measurements of one peer. */
export interface PeerResults {
  peer: Peer;
  /** By the name of the load case. */
  loads: Map<string, LoadRun[]>;
  /** By the name of the load case: runs that the simulator counted. */
  counted: Map<string, LoadRun>;
  kills?: Verdict;
  latency?: Latencies;
}

export function emptyResults(peer: Peer): PeerResults {
  return { peer, loads: new Map(), counted: new Map() };
}
