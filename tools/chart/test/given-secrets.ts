/** Names of the Secrets that values say are there: each `existingSecret`, and those for pulling. */
export function givenSecrets(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'existingSecret') return [String(value)];
    if (key === 'imagePullSecrets') return (value as { name: string }[]).map(({ name }) => name);
    return givenSecrets(value);
  });
}
