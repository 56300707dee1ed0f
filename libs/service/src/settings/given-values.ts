/** What is set: an empty value, or one of white space alone, is how compose files and charts say "not set". */
export function givenValues(
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
