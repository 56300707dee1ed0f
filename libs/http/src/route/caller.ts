import type { Places } from './places.ts';

/** What a token must allow: `admin` includes `write`, which includes `read`. */
export const scopes = ['read', 'write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Who asks, as a token says it that has been checked. */
export interface Caller {
  subject: string | undefined;
  allows(scope: Scope): boolean;
  places: Places;
}
