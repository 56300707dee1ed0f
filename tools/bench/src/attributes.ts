/** A document of texts, numbers, lists and maps as JSON for DynamoDB. */
export function attributesOf(document: object): Record<string, object> {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, attributeOf(value)]),
  );
}

function attributeOf(value: unknown): object {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  return { M: attributesOf(value as object) };
}
