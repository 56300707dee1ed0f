import { indexProjection } from '@engawa/table';
import type { KeyIndex } from '@engawa/keys';

export interface Projection {
  /** Whether the items have all of their attributes. */
  isComplete: boolean;
  /** The attributes that an incomplete index has. */
  attributes?: string[];
  note?: string;
}

/** The attributes that items of the table or of an index have (docs/adr/0005-index-projections.md). */
export function projectionOf(index: KeyIndex): Projection {
  const attributes = index === 'table' ? 'all' : indexProjection(index);
  if (attributes === 'all') return { isComplete: true };
  const note = `${index} lacks all attributes but these. The item with all attributes is in the table, under its pk and sk.`;
  return { isComplete: false, attributes: [...attributes], note };
}
