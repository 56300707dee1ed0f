/** Concurrent Queries of one page. */
export const maxConcurrentQueries = 16;
