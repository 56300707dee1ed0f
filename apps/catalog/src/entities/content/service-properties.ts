import { z } from 'zod';
import type { AttributeValue, EntityType } from '@engawa/model';

const stated = z
  .unknown()
  .optional()
  .describe('Set by the service: accepted if it equals the stored one.');

/** Properties of a response that a body may have, so that the response can be sent back unchanged. */
export const serviceProperties = {
  createdAt: stated,
  updatedAt: stated,
  version: stated.describe(
    'Set by the service: the version that was read. A write is refused if the entity has another one by now.',
  ),
  unconverted: stated,
  unindexed: stated,
  relationParts: stated.describe(
    'Set by the service: accepted if the entity has these relations, which stay.',
  ),
  cursor: z.unknown().optional().describe('Ignored: the next page of a response.'),
};

type ServiceProperty = Exclude<keyof typeof serviceProperties, 'cursor'>;

/** The properties of a body that the service sets, as given. */
export type GivenProperties = Partial<Record<ServiceProperty, unknown>>;

/** The properties of a body that the service sets; the decision to write compares them with the stored entity. */
export interface StatedProperties extends GivenProperties {
  /** Values of automatic attributes. */
  automatic: ReadonlyMap<string, AttributeValue>;
  /** Whether only an entity that was created at `createdAt` is compared (docs/adr/0136). */
  isImported: boolean;
}

/** Takes the automatic attributes out of the attributes of a body. */
export function takeStated(
  type: EntityType,
  given: GivenProperties,
  attributes: Map<string, AttributeValue>,
): StatedProperties {
  const automatic = new Map<string, AttributeValue>();
  for (const { name, automatic: isAutomatic } of type.attributes) {
    const value = isAutomatic === undefined ? undefined : attributes.get(name);
    if (value === undefined) continue;
    automatic.set(name, value);
    attributes.delete(name);
  }
  const { createdAt, updatedAt, version, unconverted, unindexed, relationParts } = given;
  const own = { createdAt, updatedAt, version, unconverted, unindexed, relationParts };
  return { ...own, automatic, isImported: false };
}
