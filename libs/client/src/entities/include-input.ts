interface IncludedFields {
  readonly fields: readonly string[];
}

/** The parameter `include`: relation and attribute, with their dots encoded. */
export function includeInput(include: object | undefined): { include?: string[] } {
  if (include === undefined) return {};
  const names = Object.entries(include).flatMap(([relation, given]) => {
    const { fields } = given as IncludedFields;
    return fields.map((field) => `${encodedName(relation)}.${encodedName(field)}`);
  });
  return { include: names };
}

function encodedName(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('.', '%2E');
}
