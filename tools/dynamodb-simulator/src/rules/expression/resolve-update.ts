import { typeOf } from '../attribute.ts';
import { invalid } from '../exceptions.ts';
import { checkPaths } from './check-paths.ts';
import type { AttributeValue } from '../attribute.ts';
import type { Placeholders } from './placeholders.ts';
import type { AssignedValue, Literal, Path, Update, ValueName } from './syntax.ts';

export type ResolvedUpdate = Update<Literal>;

const field = 'UpdateExpression';

/** Replaces placeholders by values and names, and rejects updates that are invalid for any item. @throws Refusal */
export function resolveUpdate(
  update: Update<ValueName>,
  placeholders: Placeholders,
): ResolvedUpdate {
  const resolver = new UpdateResolver(placeholders);
  const resolved = {
    set: update.set.map(({ path, value }) => ({
      path: resolver.path(path),
      value: resolver.assigned(value),
    })),
    remove: update.remove.map((path) => resolver.path(path)),
    add: update.add.map((action) => resolver.change('ADD', ['N', 'SS', 'NS', 'BS'], action)),
    delete: update.delete.map((action) => resolver.change('DELETE', ['SS', 'NS', 'BS'], action)),
  };
  checkPaths(field, pathsOf(resolved));
  return resolved;
}

export function pathsOf(update: ResolvedUpdate): Path[] {
  const written = [...update.set, ...update.add, ...update.delete].map(({ path }) => path);
  return [...written, ...update.remove];
}

class UpdateResolver {
  readonly #placeholders: Placeholders;

  constructor(placeholders: Placeholders) {
    this.#placeholders = placeholders;
  }

  path(path: Path): Path {
    return this.#placeholders.path(field, path);
  }

  assigned(value: AssignedValue<ValueName>): AssignedValue<Literal> {
    switch (value.kind) {
      case 'path':
        return { kind: 'path', path: this.path(value.path) };
      case 'name':
        return this.#placeholders.literal(field, value);
      case 'if_not_exists': {
        const path = this.path(value.path);
        return { kind: value.kind, path, otherwise: this.assigned(value.otherwise) };
      }
      case 'list_append': {
        const [left, right] = [this.assigned(value.left), this.assigned(value.right)];
        for (const operand of [left, right]) checkType(value.kind, operand, 'L');
        return { kind: value.kind, left, right };
      }
      case 'sum': {
        const [left, right] = [this.assigned(value.left), this.assigned(value.right)];
        const operator = value.sign === 1 ? '+' : '-';
        for (const operand of [left, right]) checkType(operator, operand, 'N');
        return { kind: 'sum', sign: value.sign, left, right };
      }
    }
  }

  change(
    section: 'ADD' | 'DELETE',
    allowed: readonly string[],
    { path, value }: { path: Path; value: ValueName },
  ) {
    const literal = this.#placeholders.literal(field, value);
    const type = typeOf(literal.value);
    if (!allowed.includes(type)) {
      throw incorrectType(`operator: ${section}, operand type: ${type}`);
    }
    const resolved = this.path(path);
    // API reference, UpdateItem: ADD and DELETE "can only be used on top-level attributes, not nested attributes".
    if (resolved.length > 1) {
      throw invalid(`Invalid ${field}: ${section} can only be used on top-level attributes`);
    }
    return { path: resolved, value: literal };
  }
}

function checkType(
  operator: string,
  operand: AssignedValue<Literal>,
  allowed: keyof AttributeValue,
) {
  const type = operand.kind === 'literal' ? typeOf(operand.value) : allowed;
  if (type === allowed) return;
  throw incorrectType(`operator or function: ${operator}, operand type: ${type}`);
}

function incorrectType(what: string) {
  return invalid(`Invalid ${field}: Incorrect operand type for operator or function; ${what}`);
}
