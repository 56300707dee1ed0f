import { z } from 'zod';

/** Names of query parameters with a credential. */
const secret = /token|password|passwd|secret|signature|credential|api-?_?key/i;

/**
 * A URL that is shown in logs and by /readyz, and is a ConfigMap on Kubernetes: a setting with this URL refuses user,
 * password, and query parameters with a credential.
 */
export function bareUrl(protocol: RegExp, error: string) {
  return z
    .url({ protocol, error })
    .refine((url) => !hasCredentials(url), 'it must be a URL without user, password or token');
}

/** An http or https URL without credentials. */
export const bareHttpUrl = (example: string) =>
  bareUrl(/^https?$/, `it must be an http or https URL, such as ${example}`);

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false; // reported by z.url
  const { username, password, searchParams } = new URL(text);
  return (
    username !== '' || password !== '' || [...searchParams.keys()].some((name) => secret.test(name))
  );
}
