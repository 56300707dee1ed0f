import type { RequestBuilder, ExpressionValues } from './request-builder.ts';

/** Draws a condition or filter with a few terms. */
export function randomCondition(
  builder: RequestBuilder,
  values: ExpressionValues,
  depth = 0,
): string {
  const { random } = builder;
  if (depth < 3 && random.chance(0.35)) {
    const inner = () => randomCondition(builder, values, depth + 1);
    const kind = random.integer(0, 3);
    if (kind === 0) return `NOT ${inner()}`;
    if (kind === 1) return `${inner()} AND ${inner()}`;
    return kind === 2 ? `${inner()} OR ${inner()}` : `(${inner()} OR ${inner()}) AND ${inner()}`;
  }
  return randomTerm(builder, values);
}

function randomTerm(builder: RequestBuilder, values: ExpressionValues): string {
  const { random } = builder;
  const path = builder.path();
  const literal = () => values.add(builder.value());
  const ordered = () => values.add(random.pick([builder.number(), builder.text()]));
  switch (random.integer(0, 9)) {
    case 0:
      return `attribute_exists(${path})`;
    case 1:
      return `attribute_not_exists(${path})`;
    case 2:
      return `attribute_type(${path}, ${values.add({ S: random.pick(['S', 'N', 'L', 'M', 'SS', 'NULL']) })})`;
    case 3:
      return `begins_with(${path}, ${values.add(builder.text())})`;
    case 4:
      return `contains(${path}, ${values.add(builder.scalar())})`;
    case 5:
      return `size(${path}) ${random.pick(['=', '>', '<=', '<>'])} ${values.add({ N: String(random.integer(0, 3)) })}`;
    case 6:
      return `${path} IN (${literal()}, ${literal()})`;
    case 7:
      return betweenTerm(builder, values, path);
    case 8:
      return `${path} ${random.pick(['<', '<=', '>', '>='])} ${ordered()}`;
    default:
      return `${path} ${random.pick(['=', '<>'])} ${random.chance(0.8) ? literal() : builder.path()}`;
  }
}

function betweenTerm(builder: RequestBuilder, values: ExpressionValues, path: string): string {
  const low = builder.random.integer(-5, 5);
  const bounds = [low, low + builder.random.integer(-1, 5)].map((bound) =>
    values.add({ N: String(bound) }),
  );
  return `${path} BETWEEN ${bounds.join(' AND ')}`;
}

/** Draws an update with several sections. Some paths may conflict, or not exist in the item. */
export function randomUpdate(builder: RequestBuilder, values: ExpressionValues): string {
  const { random } = builder;
  const list = (make: () => string) =>
    Array.from({ length: random.integer(1, 3) }, make).join(', ');
  const sections = [
    () => `SET ${list(() => randomAssignment(builder, values))}`,
    () => `REMOVE ${list(() => builder.path())}`,
    () => `ADD ${random.pick(['n', 'x', 'count1', 'm.a'])} ${values.add(builder.number())}`,
    () => `ADD ${random.pick(['ss', 'tags'])} ${values.add(builder.texts())}`,
    () => `DELETE ss ${values.add(builder.texts())}`,
  ];
  const first = random.integer(0, sections.length - 1);
  const second = random.integer(0, sections.length - 1);
  const chosen = random.chance(0.3) && first !== second ? [first, second] : [first];
  return chosen.map((index) => sections[index]?.() ?? '').join(' ');
}

function randomAssignment(builder: RequestBuilder, values: ExpressionValues): string {
  const { random } = builder;
  const path = random.chance(0.15)
    ? random.pick(['gsi1pk', 'gsi1sk', 'gsi2sk', 'pk'])
    : random.pick([builder.path(), 'n', 'fresh', 'l[9]']);
  const number = () => values.add(builder.number());
  switch (random.integer(0, 6)) {
    case 0:
      return `${path} = ${builder.path()}`;
    case 1:
      return `${path} = n ${random.pick(['+', '-'])} ${number()}`;
    case 2:
      return `${path} = if_not_exists(${builder.path()}, ${number()})`;
    case 3:
      return `${path} = if_not_exists(n, ${number()}) + ${number()}`;
    case 4:
      return `${path} = list_append(l, ${values.add(builder.list())})`;
    default:
      return `${path} = ${values.add(builder.value())}`;
  }
}
