import { chooseParts, nodeOptions, parseFlags, wholeNumber } from '../flags.ts';
import { peerNames } from './peer.ts';
import { arrayLengths } from './loads.ts';
import type { ArrayLength } from './loads.ts';
import type { PeerName } from './peer.ts';

export const peersHelp = `  npm run bench -- peers [options]

  --readings N         readings per measured portion (default 30000)
  --warm-up N          readings before each measured portion (default 20000)
  --repetitions N      runs of each peer and case, alternating (default 3)
  --kills N            times that each peer is killed (SIGKILL) while readings arrive (default 10)
  --rate N             readings per second of kills and latency (default 300)
  --seconds N          duration of each latency measurement (default 20)
  --peers LIST         of naive, careful, engine, engawa, engawa-no-linger, separated by commas
                       (default all): careful requires BENCH_PYTHON, engine requires BENCH_ENGINE
  --arrays LIST        readings per message of cpu and units: of 1, 10, 60 (default all)
  --only LIST          of cpu, units, kills, latency, separated by commas (default all)
`;

const parts = ['cpu', 'units', 'kills', 'latency'] as const;
export type PeersPart = (typeof parts)[number];

export interface PeersOptions {
  subject: 'peers';
  readings: number;
  warmUp: number;
  repetitions: number;
  kills: number;
  rate: number;
  seconds: number;
  peers: readonly PeerName[];
  /** Readings per message. */
  arrays: readonly ArrayLength[];
  only: readonly PeersPart[];
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  readings: { ...text, default: '30000' },
  'warm-up': { ...text, default: '20000' },
  repetitions: { ...text, default: '3' },
  kills: { ...text, default: '10' },
  rate: { ...text, default: '300' },
  seconds: { ...text, default: '20' },
  peers: { ...text, default: peerNames.join(',') },
  arrays: { ...text, default: arrayLengths.join(',') },
  only: { ...text, default: parts.join(',') },
  node: { ...text, default: '' },
  profile: text,
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parsePeersOptions(args: string[]): PeersOptions {
  const values = parseFlags(args, flags);
  return {
    subject: 'peers',
    readings: wholeNumber('--readings', values.readings, 1, 1_000_000),
    warmUp: wholeNumber('--warm-up', values['warm-up'], 1, 1_000_000),
    repetitions: wholeNumber('--repetitions', values.repetitions, 1, 100),
    kills: wholeNumber('--kills', values.kills, 1, 1000),
    rate: wholeNumber('--rate', values.rate, 1, 10_000),
    seconds: wholeNumber('--seconds', values.seconds, 1, 3600),
    peers: chooseParts(values.peers, peerNames, '--peers'),
    arrays: chooseParts(values.arrays, arrayLengths, '--arrays'),
    only: chooseParts(values.only, parts),
    node: nodeOptions(values.node),
    profile: values.profile,
    save: values.save,
  };
}
