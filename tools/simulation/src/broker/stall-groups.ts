import type { BrokerContext } from './context.ts';

/** After SIGKILL, groups receive no messages for the profile's `stallAfterKillMs`. */
export function stallGroups({ profile, router, gate, world }: BrokerContext): void {
  const { stallAfterKillMs } = profile.groups;
  if (stallAfterKillMs === 0) return;
  const groups = [...router.groups()];
  for (const group of groups) group.stallUntil(world.now() + stallAfterKillMs);
  gate.after(stallAfterKillMs, 'groups resume', () => groups.forEach((group) => group.pump()));
}
