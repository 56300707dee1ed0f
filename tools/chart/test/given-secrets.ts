/** Names of existing Secrets in the values: each `existingSecret`, and the pull secrets. */
export function givenSecrets(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'existingSecret') return [String(value)];
    if (key === 'imagePullSecrets') return (value as { name: string }[]).map(({ name }) => name);
    return givenSecrets(value);
  });
}
