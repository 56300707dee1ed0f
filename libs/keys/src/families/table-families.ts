import { indexFamilies } from './index-families.ts';
import { itemFamilies } from './item-families.ts';
import type { KeyFamily } from './key-family.ts';

/**
 * All key families of the table and its indexes. Their forms are made by the functions that build the keys, so they
 * cannot differ from the keys in the table.
 */
export const tableFamilies: readonly KeyFamily[] = [...itemFamilies, ...indexFamilies];
