/** A step's path, with the id that the answer before it gave in place of `{id}`. */
export function fillStep(step: string, before: unknown): string {
  if (!step.includes('{id}')) return step;
  const [first] = (before as { items?: { id: string }[] } | undefined)?.items ?? [];
  if (first === undefined) throw new Error(`nothing was found that ${step} could ask about`);
  return step.replaceAll('{id}', encodeURIComponent(first.id));
}

/** What to type to ask it. The token stays in the variable that it is in. */
export function curlLine(url: string, { hasToken }: { hasToken: boolean }): string {
  const authorization = hasToken ? '-H "Authorization: Bearer $CATALOG_TOKEN" ' : '';
  return `curl ${authorization}'${url.replaceAll("'", '%27')}'`;
}
