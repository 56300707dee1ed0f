/** Attributes that name an entity, the best first. */
const naming = ['name', 'title', 'label'];

/** A readable name of an entity: the attribute that is a name, else its first text, else its id. */
export function entityName(id: string, attributes: Readonly<Record<string, unknown>> = {}): string {
  const named = naming.map((name) => attributes[name]).find((value) => typeof value === 'string');
  const text = named ?? Object.values(attributes).find((value) => typeof value === 'string');
  return typeof text === 'string' && text !== '' ? text : id;
}
