import { birthKey, birthPartition, birthPrefix, deviceBirthsPrefix } from '@engawa/keys';
import { birthItem, parseBirth } from '@engawa/model';
import { ItemRejected, queryPages } from '@engawa/table';
import { retryForever } from '../../concurrency/retry-forever.ts';
import { Semaphore } from '../../concurrency/semaphore.ts';
import { Interrupted } from '../interrupted.ts';
import { Mapping } from './mapping.ts';
import type { Birth, Document } from '@engawa/model';
import type { BatchWriter, QueryTarget, Table } from '@engawa/table';
import type { RetryOptions } from '../../concurrency/retry-forever.ts';
import type { BirthChange, KnownBirth } from './known-birth.ts';

export interface BirthStoreOptions extends RetryOptions {
  table: Table;
  writer: BatchWriter;
}

/** Maximum queries at the same time: after a start the births of every node are needed. */
const maxQueries = 16;

/** Births in the table, where they survive the process and are visible to other replicas. */
export class BirthStore {
  readonly #options: BirthStoreOptions;
  readonly #queries = new Semaphore(maxQueries);

  constructor(options: BirthStoreOptions) {
    this.#options = options;
  }

  /**
   * The births of a node (`device` is empty) or of one of its devices: a Query per megabyte, with retries.
   * @throws Interrupted when the service closes first; errors that are not retryable, which are logged
   */
  load(node: string, device: string): Promise<KnownBirth[]> {
    return this.#query(node, birthPrefix(device === '' ? undefined : device));
  }

  /** The births of all devices of a node, by device. @throws as `load` */
  async loadDevices(node: string): Promise<Map<string, KnownBirth[]>> {
    return Map.groupBy(await this.#query(node, deviceBirthsPrefix), ({ device }) => device);
  }

  /** Resolves once the birth is durable. Births that are not needed any more are deleted in the background. */
  async save({ birth, evicted }: BirthChange): Promise<void> {
    const { table, writer, log } = this.#options;
    if (evicted.length > 0) {
      // Births that are not deleted expire.
      table.deleteAll(evicted.map((each) => birthKey(addressOf(each)))).catch((error: unknown) => {
        log.debug({ err: error }, 'deleting old Sparkplug births failed');
      });
    }
    try {
      await writer.put(
        birthItem({ ...birth, ...addressOf(birth), metrics: birth.mapping?.metrics }),
      );
    } catch (error) {
      if (!(error instanceof ItemRejected)) throw error;
      log.warn({ err: error, node: birth.node }, 'Sparkplug birth: storing failed');
    }
  }

  async #query(node: string, beginsWith: string): Promise<KnownBirth[]> {
    const { table, signal, log } = this.#options;
    const request = { pk: birthPartition(node), sk: { beginsWith }, consistent: true, signal };
    const retrying: QueryTarget = {
      query: (page) => retryForever(() => table.query(page), this.#options),
    };
    const births: KnownBirth[] = [];
    let release: (() => void) | undefined;
    try {
      release = await this.#queries.acquire(1, signal);
      for await (const { items } of queryPages(retrying, request)) {
        births.push(...items.map(toKnownBirth));
      }
    } catch (error) {
      if (signal.aborted) throw new Interrupted('births could not be read', { cause: error });
      log.error({ err: error, node }, 'reading the births of a Sparkplug node failed');
      throw error;
    } finally {
      release?.();
    }
    return births;
  }
}

function addressOf({ node, device, timestamp }: KnownBirth) {
  return { node, device: device === '' ? undefined : device, timestamp };
}

function toKnownBirth(item: Document): KnownBirth {
  const { metrics, device = '', ...birth }: Birth = parseBirth(item);
  return { ...birth, device, mapping: metrics && new Mapping(metrics) };
}
