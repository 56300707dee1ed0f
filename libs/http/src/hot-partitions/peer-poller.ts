import { hotFrom } from '@engawa/heat';
import { addressesOf } from './resolve-addresses.ts';
import { askPeers, peerDeadlineMs } from './fetch-peer-reports.ts';
import { peerHeader } from '../guards/peer-tokens.ts';
import type { HeatReport, KeyNaming, Partition } from '@engawa/heat';
import type { Logger } from 'pino';
import type { LookUp } from './resolve-addresses.ts';
import type { PeerAnswer } from './fetch-peer-reports.ts';
import type { PeerMetrics, PeerOutcome } from './peer-metrics.ts';
import type { PeerPass } from '../guards/peer-tokens.ts';
import type { ProcessReport } from './report-schema.ts';

/** The heat of this process, as `HeatWatch` of libs/table has it. */
export interface WatchedHeat {
  /** The hottest keys, at most so many. @param keys by default as HOT_PARTITION_KEYS says */
  report(limit: number, keys?: KeyNaming): HeatReport;
  /** Keys that may be hot in the sum of processes: used here from this share of what a partition takes on. */
  suspects(minShare: number): Partition[];
  learnOthers(told: {
    suspects: readonly Partition[];
    reports: readonly HeatReport[];
    lagMs: number;
    validMs: number;
  }): void;
}

export interface PeerWatchOptions {
  heat: WatchedHeat;
  /** URLs of APIs; this process may be among them. */
  peers: readonly string[];
  lookUp: LookUp;
  /** The name that this process has in its answers. */
  process: string;
  /** Undefined where there is no CURSOR_SECRET. */
  pass: PeerPass | undefined;
  metrics: PeerMetrics;
  log: Logger;
  /** Milliseconds between two rounds at least. */
  intervalMs?: number;
}

/** A mitigation begins after 10 s of heat at the earliest. */
const defaultIntervalMs = 5000;

/** Milliseconds between two requests of one process, on average: with more than 20 processes, rounds are rarer. */
const requestIntervalMs = 250;

/** Intervals differ by this share by chance, so that processes that started together do not ask together. */
const jitter = 0.2;

/** Share of what a partition takes below which a key is no reason to ask, however many processes there are. */
const minShare = 0.02;

/**
 * Asks the other processes what they use of partition keys, while this process uses a key that may be hot in the sum. Of N
 * processes that make a key hot together, at least one has an N-th of the heat: so one with less need not ask.
 */
export class PeerWatch {
  readonly #options: PeerWatchOptions;
  readonly #closing = new AbortController();
  readonly #answers = new Map<string, { url: string; report: ProcessReport; round: number }>();
  #round = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWarned = false;

  constructor(options: PeerWatchOptions) {
    this.#options = options;
    this.#schedule(options.intervalMs ?? defaultIntervalMs);
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  #schedule(intervalMs: number): void {
    const delayMs = intervalMs * (1 + jitter * (2 * Math.random() - 1));
    this.#timer = setTimeout(() => {
      this.#askSafely(intervalMs)
        .then((next) => {
          if (!this.#closing.signal.aborted) this.#schedule(next);
        })
        .catch(() => undefined);
    }, delayMs).unref();
  }

  /** Without an answer there is less to know, and nothing else changes. */
  async #askSafely(intervalMs: number): Promise<number> {
    try {
      return await this.#ask();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'requesting hot partitions from peers failed');
      return intervalMs;
    }
  }

  /** Gives the milliseconds until the next round. */
  async #ask(): Promise<number> {
    const { heat, peers, lookUp, pass, intervalMs = defaultIntervalMs } = this.#options;
    this.#round += 1;
    if (heat.suspects(minShare).length === 0) {
      this.#answers.clear();
      return intervalMs;
    }
    const processes = await this.#countProcesses();
    const nextMs = Math.max(intervalMs, processes * requestIntervalMs);
    const suspects = heat.suspects(Math.max(minShare, hotFrom / processes));
    if (suspects.length === 0) return nextMs;
    const headers: Record<string, string> =
      pass === undefined ? {} : { [peerHeader]: pass.issue() };
    const { signal } = this.#closing;
    this.#remember(await askPeers({ peers, lookUp, headers, signal }));
    const times = { lagMs: 2 * nextMs, validMs: 2 * nextMs + peerDeadlineMs };
    heat.learnOthers({ suspects, reports: this.#reports(), ...times });
    return nextMs;
  }

  /** This process included, once or twice: a sum that is too large asks too soon, not too late. */
  async #countProcesses(): Promise<number> {
    const { peers, lookUp } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(peerDeadlineMs)]);
    const addresses = await Promise.all(
      peers.map((url) => addressesOf(url, lookUp, signal).catch(() => [url])),
    );
    return addresses.flat().length + 1;
  }

  /** A peer that does not answer once counts as it was; one whose address is gone counts no more. */
  #remember(asked: readonly PeerAnswer[]): void {
    // Of a name that could not be looked up, no address is known to be gone.
    const listed = new Set(asked.map(({ url, address }) => keyOf(url, address)));
    for (const { url, address, answer } of asked) {
      const outcome = outcomeOf(answer);
      this.#options.metrics.asked(outcome);
      if (outcome === 'refused') this.#warnOnce(url);
      if ('why' in answer) continue;
      this.#answers.set(keyOf(url, address), { url, report: answer, round: this.#round });
    }
    for (const [key, { url, round }] of this.#answers) {
      const isListed = listed.has(key) || listed.has(keyOf(url));
      if (!isListed || round < this.#round - 1) this.#answers.delete(key);
    }
  }

  /** Of each other process one: it may have several addresses. */
  #reports(): ProcessReport[] {
    const reports = [...this.#answers.values()].map(
      ({ report }) => [report.process, report] as const,
    );
    const byProcess = new Map(reports);
    byProcess.delete(this.#options.process);
    return [...byProcess.values()];
  }

  #warnOnce(url: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#options.log.warn(
      { url },
      'peer does not report its hot partitions: it runs an older release, or has another CURSOR_SECRET',
    );
  }
}

/** Without an address: of the name as a whole. */
function keyOf(url: string, address = 'unknown'): string {
  return `${url} ${address}`;
}

function outcomeOf(answer: PeerAnswer['answer']): PeerOutcome {
  if (!('why' in answer)) return 'answered';
  return answer.isRefused === true ? 'refused' : 'failed';
}
