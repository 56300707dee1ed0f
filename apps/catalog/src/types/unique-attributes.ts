import type { EntityType } from '@engawa/model';

export function uniqueAttributes({ attributes }: Pick<EntityType, 'attributes'>): string[] {
  return attributes.filter(({ unique }) => unique === true).map(({ name }) => name);
}
