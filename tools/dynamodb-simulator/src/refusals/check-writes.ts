import { checkIndexKeys } from '../rules/item-key.ts';
import { parseWrite } from '../rules/requests/write-request.ts';
import { writesOf } from './writes-of.ts';
import type { Item } from '../rules/attribute.ts';
import type { ResolvedUpdate } from '../rules/expression/resolve-update.ts';
import type { ClientRequest } from '../plans/plan.ts';

/** Checks each write of a request as far as possible without its existing item. @throws Refusal */
export async function checkWrites(asked: ClientRequest): Promise<void> {
  for (const { kind, action } of writesOf(asked)) {
    const table = await asked.upstream.table(String(action['TableName']), asked.headers);
    const { item, update } = parseWrite(asked.expressions, table, kind, action);
    const stored = kind === 'Put' ? item : assignedBy(update);
    for (const index of table.indexes) checkIndexKeys(index, stored);
  }
}

/** The attributes that an update sets to values of the request. */
function assignedBy(update: ResolvedUpdate | undefined): Item {
  const entries = (update?.set ?? []).flatMap(({ path: [name, ...inner], value }) =>
    inner.length === 0 && value.kind === 'literal' ? [[String(name), value.value] as const] : [],
  );
  return Object.fromEntries(entries);
}
