import { peerNames } from './peer.ts';
import { findingsOf, tablesOf } from './report-peers.ts';
import type { Peer, PeerName } from './peer.ts';
import type { PeerResults } from './results.ts';

const never = () => Promise.reject(new Error('not started here'));

function resultsOf(name: PeerName, cpu: number, lost = 0): PeerResults {
  const peer: Peer = { name, about: '', createTable: never, launch: never, readBack: never };
  const costs = { cpu, coldCpu: cpu, startCpu: 1e6, idleMemory: 5e7, peakMemory: 1e8 };
  return {
    peer,
    loads: new Map([['arrays of 10', [{ ...costs, lost: 0, changed: 0 }]]]),
    counted: new Map(),
    kills: { published: 1000, lost, doubled: 0, changed: 0 },
  };
}

it('compares both kinds of ingestion with the cheapest other peer', () => {
  const cpu = { naive: 500, careful: 90, engine: 40, engawa: 20, 'engawa-no-linger': 50 };
  const findings = findingsOf(peerNames.map((name) => resultsOf(name, cpu[name])));
  expect(findings.map(({ baseline, ratio, reached }) => [baseline, ratio, reached])).toEqual([
    ['engine: 40.0', '0.50', true],
    ['1000 published', '', true],
    ['engine: 40.0', '1.25', false],
    ['1000 published', '', true],
  ]);
});

it('reports a lost reading of ingestion as missed', () => {
  expect(findingsOf([resultsOf('engawa', 20, 1)])).toMatchObject([
    { measured: '20.0', baseline: '' },
    { measured: '1', reached: false },
  ]);
});

it('has tables of the measured parts only', () => {
  const tables = tablesOf([resultsOf('naive', 500)]);
  expect(tables.map((table) => table.split(':')[0])).toEqual(['CPU and memory', 'Kills']);
});
