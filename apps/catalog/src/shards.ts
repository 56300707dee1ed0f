/** Shards of each family of index keys. */
export interface CatalogShards {
  /** Of the list of the entities of a type. */
  list: number;
  /** Of a search or a ranking. */
  attribute: number;
  /** Of what changed in the texts. */
  text: number;
}
