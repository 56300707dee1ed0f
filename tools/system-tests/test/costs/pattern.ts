import type { Counts } from './cost.ts';
import type { MeteredServices } from './metered-services.ts';

/** An access pattern of the table, with its maximum cost. */
export interface Pattern {
  ask: string;
  how: string;
  /** The cost by design, in words. */
  requests: string;
  /** The same for this request: by operation, with the index if there is one. */
  expected: Counts;
  /** Preparation; not counted. */
  prepare?: (services: MeteredServices) => Promise<unknown>;
  run: (services: MeteredServices) => Promise<unknown>;
  /** The expected result of `run`, since a query without results costs less. */
  gives: unknown;
}

/** The same access patterns for several subjects. */
export interface Comparison {
  columns: readonly string[];
  /** A pattern for each column. */
  rows: readonly { ask: string; patterns: readonly Pattern[] }[];
}

/** Length of a list in the response. */
export async function lengthOf(
  services: MeteredServices,
  [service, path]: Parameters<MeteredServices['ask']>,
  list: string,
): Promise<number> {
  const { body } = await services.ask(service, path);
  return (body[list] as unknown[]).length;
}

export function search(parameters: Record<string, string | number>): string {
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

/** Query parameters of a time range in epoch milliseconds. */
export function range(from: number, to: number): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
