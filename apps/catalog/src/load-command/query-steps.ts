/** The path of a step, with `{id}` replaced by the id of the first item of the previous response. */
export function stepPath(step: string, before: unknown): string {
  if (!step.includes('{id}')) return step;
  const [first] = (before as { items?: { id: string }[] } | undefined)?.items ?? [];
  if (first === undefined) throw new Error(`the previous step found nothing, so ${step} has no id`);
  return step.replaceAll('{id}', encodeURIComponent(first.id));
}

/** A curl command for the URL; the token stays in its environment variable. */
export function curlLine(url: string, { hasToken }: { hasToken: boolean }): string {
  const authorization = hasToken ? '-H "Authorization: Bearer $CATALOG_TOKEN" ' : '';
  return `curl ${authorization}'${url.replaceAll("'", '%27')}'`;
}
