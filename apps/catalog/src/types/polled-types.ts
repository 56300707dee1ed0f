import type { Table } from '@engawa/table';
import type { EntityType } from '@engawa/model';
import type { Logger } from 'pino';
import type { KnownTypes } from './known-types.ts';

export class PolledTypes implements KnownTypes {
  constructor(_options: { table: Table; log: Logger; intervalMs?: number }) {
    // Being written.
  }
  async start(): Promise<void> {}
  async get(_name: string): Promise<EntityType> {
    throw new Error('being written');
  }
  async all(): Promise<EntityType[]> {
    return [];
  }
  close(): void {}
}
