import { BulkReport, bulkFailureFields } from '@engawa/http';
import { z } from 'zod';

const counts = z.strictObject({
  created: z.int(),
  existing: z.int().describe('Entries that existed already; they are not changed.'),
});

/** The outcome of the entries of a body. */
export const reportOutput = z.strictObject({ places: counts, rooms: counts, ...bulkFailureFields });

type ReportOutput = z.output<typeof reportOutput>;

/** Collects the outcome of the entries of one body. */
export class CreationReport {
  readonly entries = new BulkReport();
  readonly #counts = {
    places: { created: 0, existing: 0 },
    rooms: { created: 0, existing: 0 },
  };

  count(what: 'places' | 'rooms', created: number, wanted: number): void {
    this.#counts[what].created += created;
    this.#counts[what].existing += wanted - created;
  }

  toBody(): ReportOutput {
    return { ...this.#counts, ...this.entries.toBody() };
  }
}
