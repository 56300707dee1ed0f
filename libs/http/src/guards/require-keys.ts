import type { ServiceContext } from '@engawa/service';
import type { IssuerKeys } from './issuer-keys.ts';

/**
 * Fetches the signing keys at start. A process that never had them may have a wrong issuer, so it is not ready, and its
 * rollout stops; a later outage of the issuer does not matter while keys are cached (docs/adr/0121).
 */
export function requireKeys(
  keys: IssuerKeys,
  { readiness, signal }: Pick<ServiceContext<unknown>, 'readiness' | 'signal'>,
): void {
  readiness.require('issuerKeys', () => keys.unavailableReason);
  void keys.fetchUntilKnown(signal);
}
