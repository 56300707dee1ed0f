/** A page, or something that a page shows. */
export interface SearchResult {
  name: string;
  detail: string;
  /** The path and query of the page that shows it. */
  address: string;
}
