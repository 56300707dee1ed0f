import type { catalogOperations } from '../generated/catalog.ts';
import type { Methods } from '../methods.ts';

/** A method per operation of the catalog's API. */
export type CatalogMethods = Methods<typeof catalogOperations>;
