/** Choices of the user that outlive a visit. Tokens are never among them. */
export type Preference = 'language' | 'theme' | 'collapsed-places';

const prefix = 'engawa.';

/** undefined where nothing is stored, or the browser allows no storage. */
export function readPreference(name: Preference): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storePreference(name: Preference, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // The choice lasts for this visit.
  }
}
