import { entityKey, parseKey, uniqueValueKey } from '@engawa/keys';
import { auditUnique } from './audit-unique.ts';
import type { Key } from '@engawa/keys';

const row = (key: Key, item: Record<string, unknown>) => ({ key: parseKey(key), item });
const entity = (id: string, code?: string) =>
  row(entityKey({ type: 'Track', id }), {
    data: { attributes: code === undefined ? {} : { code } },
  });
const claim = (owner: string, value: string) =>
  row(uniqueValueKey({ type: 'Track', attribute: 'code', value }), { owner, value });

describe('the claims of unique values', () => {
  const audit = (...rows: ReturnType<typeof row>[]) => auditUnique(rows, 'code');

  it('match the values of entities', () => {
    expect(audit(entity('a', '1'), claim('a', '1'), entity('b'))).toEqual([]);
  });

  it('exist for no deleted entity and for no former value', () => {
    expect(audit(claim('a', '1'))).toEqual(['Track/a claims Track/1, which it does not have']);
    const gone = row(entityKey({ type: 'Track', id: 'a' }), { gone: true });
    expect(audit(gone, claim('a', '1'))).toHaveLength(1);
    expect(audit(entity('a', '2'), claim('a', '1'), claim('a', '2'))).toHaveLength(1);
  });

  it('are complete, and never shared by two entities', () => {
    expect(audit(entity('a', '1'))).toEqual(['Track/a has Track/1, which it does not claim']);
    expect(audit(entity('a', '1'), entity('b', '1'), claim('a', '1'))).toEqual([
      'Track/b has Track/1, which it does not claim',
    ]);
  });
});
