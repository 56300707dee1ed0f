/**
 * The variables that are set. An empty or blank value counts as not set: compose files and charts
 * pass it for absent values.
 */
export function definedValues(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined && value.trim() !== '') given[name] = value;
  }
  return given;
}
