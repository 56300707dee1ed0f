import type { Places } from './places.ts';

/** Scopes of a token, and the scopes that include them. Only `table` allows to read raw items of every service. */
export const sufficientScopes = {
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
  table: ['table'],
} as const;
export type Scope = keyof typeof sufficientScopes;

/** The client of a request, according to its verified token. */
export interface Caller {
  subject: string | undefined;
  allows(scope: Scope): boolean;
  places: Places;
  /** Epoch milliseconds from which the token is no longer accepted. */
  expiresAt: number;
}
