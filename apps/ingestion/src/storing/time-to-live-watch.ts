import { deviceKinds } from '@engawa/model';
import { isDenied, readTimeToLive, tableLocation } from '@engawa/table';
import type { ServiceContext } from '@engawa/service';
import type { TimeToLive } from '@engawa/table';
import type { Config } from '../config.ts';

const intervalMs = 600_000;

/** With RETENTION_DAYS, readiness and the log report while DynamoDB does not delete expired readings. */
export function watchTimeToLive(context: ServiceContext<Config>): void {
  const { config, readiness, onClose } = context;
  if (deviceKinds.every((kind) => config.RETENTION_DAYS(kind) === 0)) return;
  const watch = new TimeToLiveWatch(context);
  readiness.require('timeToLive', () => watch.reason, 'never');
  void watch.check();
  const timer = setInterval(() => void watch.check(), intervalMs).unref();
  onClose('time to live', () => clearInterval(timer));
}

class TimeToLiveWatch {
  /** Why expired readings stay in the table; undefined if they do not, or if it is not known. */
  reason: string | undefined;
  readonly #context: ServiceContext<Config>;
  #isDenied = false;

  constructor(context: ServiceContext<Config>) {
    this.#context = context;
  }

  /** Does not reject. */
  async check(): Promise<void> {
    const { config, log, signal } = this.#context;
    try {
      this.#report(await readTimeToLive(tableLocation(config), signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!isDenied(error)) log.debug({ err: error }, 'reading the TTL of the table failed');
      else if (!this.#isDenied) this.#reportDenied(error);
    }
  }

  #report(state: TimeToLive): void {
    const { config, log } = this.#context;
    const before = this.reason;
    this.reason = state === 'on' ? undefined : reasonOf(state, config.TABLE_NAME);
    if (this.reason === before) return;
    if (this.reason === undefined) log.info('TTL of the table is enabled');
    else log.warn(`RETENTION_DAYS has no effect on stored readings: ${this.reason}`);
  }

  #reportDenied(err: unknown): void {
    this.#isDenied = true;
    this.#context.log.warn(
      { err },
      'RETENTION_DAYS is set, and whether the TTL of the table is enabled is not known: permit dynamodb:DescribeTimeToLive',
    );
  }
}

function reasonOf(state: Exclude<TimeToLive, 'on'>, table: string): string {
  if (state === 'unsupported') {
    return 'this DynamoDB API does not support TTL, so expired readings are hidden and stay in the table';
  }
  const what =
    state === 'off'
      ? `TTL of table ${table} is disabled`
      : `TTL of table ${table} uses another attribute than ttl`;
  return `${what}, so expired readings are hidden and stay in the table: enable TTL with the attribute ttl (npm run table, or table.create of the chart)`;
}
