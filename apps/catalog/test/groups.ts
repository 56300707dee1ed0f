/** A group of people whose relations have attributes. */
export const role: object = { name: 'role', kind: 'text', required: true };
export const others: object[] = [
  { name: 'since', kind: 'instant' },
  { name: 'constructor', kind: 'number' },
];
export const group = {
  attributes: [{ name: 'name', kind: 'text' }],
  relations: [
    { name: 'members', to: 'Person', many: true, attributes: [role, ...others] },
    { name: 'invited', to: 'Person', many: true },
    { name: 'owner', to: 'Person' },
  ],
};
export const people = ['anna', 'ben', 'cho'];
export const admin = { role: 'admin' };
export const guest = { role: 'guest', since: '2026-11-01T00:00:00.000Z' };
