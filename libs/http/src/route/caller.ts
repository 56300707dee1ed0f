import type { Places } from './places.ts';

/** Scopes of a token: `admin` includes `write`, which includes `read`. */
export const scopes = ['read', 'write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** The client of a request, according to its verified token. */
export interface Caller {
  subject: string | undefined;
  allows(scope: Scope): boolean;
  places: Places;
}
