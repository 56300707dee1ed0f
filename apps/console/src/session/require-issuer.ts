import type { ServiceContext } from '@engawa/service';
import type { Issuer } from './issuer.ts';

/** As for the signing keys in the services (docs/adr/0121): a rollout with a wrong issuer stops. */
export function requireIssuer(
  issuer: Issuer,
  { readiness, signal }: Pick<ServiceContext<unknown>, 'readiness' | 'signal'>,
): void {
  readiness.require('issuer', () => issuer.unavailableReason);
  void issuer.fetchUntilKnown(signal);
}
