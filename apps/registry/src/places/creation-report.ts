import { EntryReport, shownFailures } from '@engawa/http';
import { z } from 'zod';

const counts = z.strictObject({
  created: z.int(),
  existing: z.int().describe('Those that were there already, which stay as they are.'),
});

/** What became of the entries of a body. */
export const shownReport = z.strictObject({ places: counts, rooms: counts, ...shownFailures });

type Report = z.output<typeof shownReport>;

/** Collects what becomes of the entries of one body. */
export class CreationReport {
  readonly entries = new EntryReport();
  readonly #counts = {
    places: { created: 0, existing: 0 },
    rooms: { created: 0, existing: 0 },
  };

  count(what: 'places' | 'rooms', created: number, wanted: number): void {
    this.#counts[what].created += created;
    this.#counts[what].existing += wanted - created;
  }

  shown(): Report {
    return { ...this.#counts, ...this.entries.shown() };
  }
}
