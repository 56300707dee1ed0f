import type { Counts } from './cost.ts';
import type { MeteredServices } from './metered-services.ts';

/** A way in which the table is used, and what it may cost. */
export interface Pattern {
  ask: string;
  how: string;
  /** What the design allows, in words. */
  requests: string;
  /** The same for what is asked here: by operation, with the index where it asks one. */
  expected: Counts;
  /** What was there or was done before; not counted. */
  prepare?: (services: MeteredServices) => Promise<unknown>;
  run: (services: MeteredServices) => Promise<unknown>;
  /** The result of `run`: a query that finds nothing costs nothing. */
  gives: unknown;
}

/** How long a list in the answer is. */
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

/** From one time to another, in epoch milliseconds, as a question's parameters. */
export function range(from: number, to: number): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
