/** The address of a type or an entity. */
export function catalogAddress(type: string, id?: string): string {
  const query = new URLSearchParams({ view: 'catalog', type, ...(id !== undefined && { id }) });
  return `/table?${query.toString()}`;
}

/** The partition key of an entity, with the escapes of the key grammar (docs/reference/table.md). */
export function entityPartition(type: string, id: string): string {
  return ['E', type, id].map(escapeSegment).join('#');
}

const escapeDistance = 0x30;

function escapeSegment(text: string): string {
  return text.replace(/[\u0000-\u0024]/g, (character) => {
    return `$${String.fromCharCode(character.charCodeAt(0) + escapeDistance)}`;
  });
}
