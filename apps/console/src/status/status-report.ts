/** `GET /api/status`: what the Health page shows. Types only; the web app has them, too. */
export interface StatusReport {
  /** When the services were asked, ISO 8601. */
  time: string;
  console: { version: string; startedAt: string };
  services: ServiceStatus[];
  alerts: AlertsStatus;
  units: UnitsStatus;
}

/** `GET /api/status` with 503: no service could check the token, so the caller may be anyone. */
export interface UnverifiedStatus {
  /** When the services were asked, ISO 8601. */
  time: string;
  services: { name: string; answers: boolean }[];
}

export interface ServiceStatus {
  name: string;
  /** Every address of the service's host name. */
  processes: ProcessStatus[];
  /** Why no process is known, such as a failed DNS lookup. */
  failure?: string;
}

/** `degraded`: it lacks something, and serves requests all the same. */
export type ProcessState = 'ready' | 'degraded' | 'unready' | 'unreachable';

export interface ProcessStatus {
  address: string;
  state: ProcessState;
  /** Why it is unreachable. */
  failure?: string;
  /** Unmet requirements that make it unready, and those that do not. */
  missing: Requirement[];
  degraded: Requirement[];
  version?: string;
  /** ISO 8601. */
  startedAt?: string;
  memory?: { usedBytes: number; limitBytes?: number };
  /** Of a process that subscribes at a broker. */
  broker?: BrokerSession;
}

export interface Requirement {
  name: string;
  reason: string;
}

/** Counters are those since the start of the process. */
export interface BrokerSession {
  isConnected: boolean;
  connects: number;
  sessionsLost: number;
  failedSelfTests: number;
  /** Received messages that are not durable yet, and the age of the oldest one. */
  unacknowledged: number;
  oldestSeconds: number;
}

export type AlertsStatus =
  | { kind: 'not-configured' }
  | { kind: 'failed'; failure: string }
  | { kind: 'known'; alerts: Alert[] };

export interface Alert {
  name: string;
  state: 'firing' | 'pending';
  severity?: string;
  summary?: string;
  description?: string;
  /** The labels that its summary can name, such as `component` and `pod`. */
  labels?: Record<string, string>;
  runbookUrl?: string;
  /** ISO 8601. */
  since?: string;
}

/** Read and write units of DynamoDB. */
export interface Units {
  read: number;
  write: number;
}

/** Units that the known processes have consumed in the last hour. */
export interface UnitsStatus {
  /** Start of the time that is covered: at most an hour ago, later where the console was started later. ISO 8601. */
  since: string;
  services: { name: string; total: Units; dollars: number }[];
  total: Units;
  dollars: number;
  /** Units of all services by minute, oldest first; the last minute is not over. */
  minutes: Units[];
  /** US dollars per million units. */
  price: Units & { source: string };
}
