import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { OperatorError } from '@engawa/errors';
import { pino } from 'pino';
import { createClients } from '../client/dynamodb-client.ts';
import { explain } from './explain.ts';
import { billingOf, checkKeys, checkTimeToLive, workOn } from './found-table.ts';
import { indexNames, oneIndex, ttlAttribute, wholeTable } from './table-definition.ts';
import type { DynamoDBClient, TableDescription } from '@aws-sdk/client-dynamodb';
import type { Logger } from 'pino';
import type { TableLocation } from '../client/dynamodb-client.ts';
import type { Billing, IndexName } from './table-definition.ts';

export type EnsureTableOptions = TableLocation & {
  /** Billing of a new table; by default on demand. */
  billing?: Billing;
  signal?: AbortSignal;
  /** Logs every step, and every two seconds the step in progress. */
  log?: Logger | undefined;
};

/** `completed`: the table existed, but an index or its time to live was missing. */
export type EnsuredTable = 'created' | 'completed' | 'present';

/** Poll interval while DynamoDB changes the table: DynamoDB takes seconds, an embedded engine almost no time. */
const firstPollMs = 10;
const maxPollMs = 250;

const reportIntervalMs = 2000;

/** Attempts of a request by the SDK. */
const maxAttempts = 10;

/** Errors of DynamoDB while another process makes the same change: waiting is sufficient. */
const overtaken = ['ResourceInUseException', 'TableInUseException', 'LimitExceededException'];

/**
 * Creates the table or its missing parts: keys, two indexes and time to live. Resolves when everything is active;
 * several processes may run this at once. Never changes existing keys, indexes or billing.
 * @throws OperatorError when a table or index of that name has other keys, or DynamoDB rejects the change
 */
export async function ensureTable(options: EnsureTableOptions): Promise<EnsuredTable> {
  const [client] = createClients(options, [maxAttempts] as const);
  const work = new TableWork({ ...options, client });
  const timer = setInterval(() => work.report(), reportIntervalMs);
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(2 * pollMs, maxPollMs)) {
      const outcome = await work.step();
      if (outcome !== undefined) return outcome;
      await delay(pollMs, undefined, { signal: options.signal });
    }
  } catch (error) {
    throw explain(error, options);
  } finally {
    clearInterval(timer);
    client.destroy();
  }
}

/** Polls the table; each poll makes the next missing change. */
class TableWork {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  readonly #billing: Billing;
  readonly #log: Logger;
  readonly #signal: AbortSignal | undefined;
  readonly #began = performance.now();
  #state = '';
  #outcome: EnsuredTable = 'present';
  #looked = false;

  constructor(options: EnsureTableOptions & { client: DynamoDBClient }) {
    const { client, tableName, billing, log, signal } = options;
    this.#client = client;
    this.#name = tableName;
    this.#billing = billing ?? { mode: 'on-demand' };
    this.#log = log?.child({ table: tableName }) ?? pino({ enabled: false });
    this.#signal = signal;
  }

  report(): void {
    const seconds = Math.round((performance.now() - this.#began) / 1000);
    this.#log.info({ seconds }, `waiting: ${this.#state}`);
  }

  /** @returns the outcome, once nothing is left to do */
  async step(): Promise<EnsuredTable | undefined> {
    const table = await this.#describe();
    if (table === undefined) {
      await this.#create();
      return undefined;
    }
    checkKeys(this.#name, table);
    if (!this.#looked) this.#compareBilling(billingOf(table));
    this.#looked = true;
    const work = workOn(table);
    this.#state = work ?? this.#state;
    if (work !== undefined) return undefined;

    const missing = indexNames.find(
      (name) => !table.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === name),
    );
    if (missing === undefined) return (await this.#hasTimeToLive()) ? this.#outcome : undefined;
    await this.#addIndex(missing, billingOf(table));
    return undefined;
  }

  async #describe(): Promise<TableDescription | undefined> {
    try {
      return (await this.#send(new DescribeTableCommand({ TableName: this.#name }))).Table;
    } catch (error) {
      if (nameOf(error) === 'ResourceNotFoundException') return undefined;
      throw error;
    }
  }

  async #create(): Promise<void> {
    const command = new CreateTableCommand(wholeTable(this.#name, this.#billing));
    if (!(await this.#isTaken(() => this.#send(command)))) return;
    this.#looked = true;
    this.#outcome = 'created';
    this.#log.info({ billing: this.#billing }, 'creating the table');
  }

  async #addIndex(name: IndexName, billing: Billing): Promise<void> {
    const command = new UpdateTableCommand(oneIndex(this.#name, name, billing));
    try {
      if (!(await this.#isTaken(() => this.#send(command)))) return;
    } catch (error) {
      if (!isRefused(error)) throw error;
      throw new OperatorError(
        `index ${name} cannot be added to table ${this.#name} (${messageOf(error)}); some APIs, ` +
          'such as older versions of Alternator, make indexes only with their table: then take ' +
          'another TABLE_NAME',
        { cause: error },
      );
    }
    this.#complete();
    this.#log.info({ index: name, billing }, 'adding an index');
  }

  /** Whether time to live is enabled; enables it otherwise. */
  async #hasTimeToLive(): Promise<boolean> {
    const TableName = this.#name;
    const TimeToLiveSpecification = { AttributeName: ttlAttribute, Enabled: true };
    try {
      const answer = await this.#send(new DescribeTimeToLiveCommand({ TableName }));
      const { TimeToLiveStatus: status, AttributeName } = answer.TimeToLiveDescription ?? {};
      if (status === 'ENABLED' || status === 'ENABLING') {
        checkTimeToLive(this.#name, AttributeName);
        return true;
      }
      if (status === 'DISABLING') {
        this.#state = 'time to live is DISABLING';
        return false;
      }
      const command = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification });
      if (!(await this.#isTaken(() => this.#send(command)))) return false;
    } catch (error) {
      // Another process was faster: DynamoDB has no specific error name for this case.
      if (/already/i.test(messageOf(error)) && isRefused(error)) return false;
      if (nameOf(error) !== 'UnknownOperationException') throw error;
      this.#log.warn('this DynamoDB API does not support TTL: expired items stay in the table');
      return true;
    }
    this.#complete();
    this.#log.info({ attribute: ttlAttribute }, 'enabling TTL');
    return false;
  }

  #send: DynamoDBClient['send'] = (command: object) => {
    this.#state = `no response to ${command.constructor.name.replace(/Command$/, '')} yet`;
    return this.#client.send(command as never, { abortSignal: this.#signal }) as never;
  };

  /** @returns false where another process has made the change, or another change must end first */
  async #isTaken(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      if (!overtaken.includes(nameOf(error))) throw error;
      this.#state = `DynamoDB says ${nameOf(error)}, ${messageOf(error)}`;
      return false;
    }
  }

  #complete(): void {
    if (this.#outcome === 'present') this.#outcome = 'completed';
  }

  #compareBilling(found: Billing): void {
    const configured = this.#billing;
    if (found.mode === configured.mode && unitsOf(found) === unitsOf(configured)) return;
    this.#log.info(
      { found, asked: configured },
      'the billing mode of the table differs from the configured one; it stays unchanged',
    );
  }
}

function unitsOf(billing: Billing): string {
  return billing.mode === 'on-demand' ? '' : `${billing.readUnits} ${billing.writeUnits}`;
}

function isRefused(error: unknown): boolean {
  return ['ValidationException', 'UnknownOperationException'].includes(nameOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
