import { hotFrom } from '@engawa/heat';
import { peerHeader, resolveAddresses } from '@engawa/http';
import { fetchPeerReports, peerDeadlineMs } from './fetch-peer-reports.ts';
import { reportQuestion } from './report-schema.ts';
import type { HeatHistoryReport, HeatReport, KeyNaming, Partition, Resolution } from '@engawa/heat';
import type { PeerTokens, ResolveHost } from '@engawa/http';
import type { Logger } from 'pino';
import type { PeerResponse } from './fetch-peer-reports.ts';
import type { PeerMetrics, PeerOutcome } from './peer-metrics.ts';
import type { ProcessReport } from './report-schema.ts';

/** The heat of the partition keys that this process uses; implemented by `HeatWatch` of libs/table. */
export interface WatchedHeat {
  /** The hottest keys, at most `limit`. @param keys how they are named; by default as in HOT_PARTITION_KEYS */
  report(limit: number, keys?: KeyNaming): HeatReport;
  /**
   * Keys that may be hot by the total of all processes: this process uses at least `minShare` of the limit of a
   * partition.
   */
  suspects(minShare: number): Partition[];
  /** The recorded heat of the last minutes and hours. */
  readonly history: { report(request: HistoryRequest): HeatHistoryReport };
  learnPeerLoads(told: {
    suspects: readonly Partition[];
    reports: readonly HeatReport[];
    lagMs: number;
    validMs: number;
  }): void;
}

/** Which part of a history is requested. */
export interface HistoryRequest {
  resolution: Resolution;
  /** Only columns from this time on, in milliseconds since the epoch. */
  fromMs?: number | undefined;
}

export interface PeerPollerOptions {
  heat: Omit<WatchedHeat, 'history'>;
  /** URLs of the APIs of all processes; may include this process. */
  peers: readonly string[];
  resolveHost: ResolveHost;
  /** The process id in the reports of this process. */
  process: string;
  /** Undefined without CURSOR_SECRET. */
  tokens: PeerTokens | undefined;
  metrics: PeerMetrics;
  log: Logger;
  /** Minimum interval between two rounds. */
  intervalMs?: number;
}

/** Short enough: mitigation starts after 10 s of heat at the earliest. */
const defaultIntervalMs = 5000;

/** Average interval between two requests of one process: with more than 20 processes, rounds are less frequent. */
const requestIntervalMs = 250;

/** Random variation of intervals, so that processes that started together do not send requests together. */
const jitter = 0.2;

/** Share of the limit of a partition below which a key causes no requests, however many processes there are. */
const minShare = 0.02;

/**
 * Polls the other processes for their usage of partition keys while this process uses a key that may be hot in total.
 * If N processes make a key hot together, at least one causes an N-th of the heat, so a process with less need not
 * poll.
 */
export class PeerPoller {
  readonly #options: PeerPollerOptions;
  readonly #closing = new AbortController();
  readonly #responses = new Map<string, { url: string; report: ProcessReport; round: number }>();
  #round = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWarned = false;

  constructor(options: PeerPollerOptions) {
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
      this.#pollSafely(intervalMs)
        .then((next) => {
          if (!this.#closing.signal.aborted) this.#schedule(next);
        })
        .catch(() => undefined);
    }, delayMs).unref();
  }

  /** A failed round is only logged: without reports, this process knows only its own usage. */
  async #pollSafely(intervalMs: number): Promise<number> {
    try {
      return await this.#poll();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'requesting hot partitions from peers failed');
      return intervalMs;
    }
  }

  /** Polls once. @returns milliseconds until the next round */
  async #poll(): Promise<number> {
    const { heat, peers, resolveHost, tokens, intervalMs = defaultIntervalMs } = this.#options;
    this.#round += 1;
    if (heat.suspects(minShare).length === 0) {
      this.#responses.clear();
      return intervalMs;
    }
    const processes = await this.#countProcesses();
    const nextMs = Math.max(intervalMs, processes * requestIntervalMs);
    const suspects = heat.suspects(Math.max(minShare, hotFrom / processes));
    if (suspects.length === 0) return nextMs;
    const headers: Record<string, string> =
      tokens === undefined ? {} : { [peerHeader]: tokens.issue() };
    const { signal } = this.#closing;
    this.#remember(await fetchPeerReports(reportQuestion, { peers, resolveHost, headers, signal }));
    const times = { lagMs: 2 * nextMs, validMs: 2 * nextMs + peerDeadlineMs };
    heat.learnPeerLoads({ suspects, reports: this.#reports(), ...times });
    return nextMs;
  }

  /** Counts this process once or twice: a number that is too large polls too early, not too late. */
  async #countProcesses(): Promise<number> {
    const { peers, resolveHost } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(peerDeadlineMs)]);
    const addresses = await Promise.all(
      peers.map((url) => resolveAddresses(url, resolveHost, signal).catch(() => [url])),
    );
    return addresses.flat().length + 1;
  }

  /** The last report of a peer stays for one round without a response; that of a removed address is dropped. */
  #remember(asked: readonly PeerResponse<ProcessReport>[]): void {
    // Where a host name could not be resolved, none of its addresses is known to be removed.
    const listed = new Set(asked.map(({ url, address }) => keyOf(url, address)));
    for (const { url, address, answer } of asked) {
      const outcome = outcomeOf(answer);
      this.#options.metrics.countRequest(outcome);
      if (outcome === 'refused') this.#warnOnce(url);
      if ('why' in answer) continue;
      this.#responses.set(keyOf(url, address), { url, report: answer, round: this.#round });
    }
    for (const [key, { url, round }] of this.#responses) {
      const isListed = listed.has(key) || listed.has(keyOf(url));
      if (!isListed || round < this.#round - 1) this.#responses.delete(key);
    }
  }

  /** One report per other process, which may have several addresses. */
  #reports(): ProcessReport[] {
    const reports = [...this.#responses.values()].map(
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

/** Without an address, the key of the whole host name. */
function keyOf(url: string, address = 'unknown'): string {
  return `${url} ${address}`;
}

function outcomeOf(answer: PeerResponse<ProcessReport>['answer']): PeerOutcome {
  if (!('why' in answer)) return 'answered';
  return answer.isRefused === true ? 'refused' : 'failed';
}
