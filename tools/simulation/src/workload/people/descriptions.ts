import { contentOf, without } from './resource.ts';
import type { Random } from '../../kernel/index.ts';
import type { Change } from './conditional-writer.ts';
import type { Content } from './resource.ts';

const words = ['Kitchen', 'kitchen', 'Bath', 'Hall', 'attic', 'Garden', 'gate'];
const floors = ['1', '2'];
const owners = ['anna', 'bo'];

/** Draws the attributes of a place or a room. */
export function describeThing(random: Random): Content {
  const labels = {
    ...(random.chance(0.5) && { floor: random.pick(floors) }),
    ...(random.chance(0.3) && { owner: random.pick(owners) }),
  };
  return contentOf({
    name: `${random.pick(words)} ${random.integer(1, 9)}`,
    labels,
    ...(random.chance(0.2) && { metadata: { area: random.integer(5, 50) } }),
  });
}

/** Kinds of devices, except `climate`, whose readings may expire. */
const kinds = ['meter', 'contact', 'button', 'other'];

/** Draws the attributes of a device, all of them, since missing attributes get defaults. */
export function describeDevice(random: Random): Content {
  const status = random.chance(0.8) ? 'active' : 'pending';
  return { ...describeThing(random), kind: random.pick(kinds), status };
}

export const namePrefixes = ['kit', 'B', 'gA', 'hall 1'] as const;
export const labelFilters = ['floor', 'floor=1', 'owner=anna'] as const;

/** Draws a PUT of all attributes, or a PATCH of some. */
export function drawChange(
  random: Random,
  current: Content,
  describe: (random: Random) => Content = describeThing,
): Change {
  const isConditional = random.chance(0.8);
  const described = describe(random);
  if (random.chance(0.5)) {
    return { method: 'PUT', body: described, content: described, isConditional };
  }
  const fields = without(described, 'labels', 'metadata');
  if (random.chance(0.5)) {
    const content = contentOf({ ...current, ...fields });
    return { method: 'PATCH', body: fields, content, isConditional };
  }
  const floor = random.chance(0.3) ? null : random.pick(floors);
  const others = without((current['labels'] ?? {}) as Content, 'floor');
  const kept = floor === null ? others : { ...others, floor };
  const content = contentOf({ ...current, labels: kept });
  return { method: 'PATCH', body: { labels: { floor } }, content, isConditional };
}
