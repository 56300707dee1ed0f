import type { Table } from '@engawa/table';

export class TypeStore {
  constructor(_options: { table: Table }) {
    // Being written.
  }
}
