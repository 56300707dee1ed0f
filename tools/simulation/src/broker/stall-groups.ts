import type { BrokerContext } from './context.ts';

/** After SIGKILL, groups receive nothing for the time of the profile. */
export function stallGroups({ profile, router, gate, world }: BrokerContext): void {
  const { stallAfterKillMs } = profile.groups;
  if (stallAfterKillMs === 0) return;
  const groups = [...router.groups()];
  for (const group of groups) group.stallUntil(world.now() + stallAfterKillMs);
  gate.after(stallAfterKillMs, 'groups go on', () => groups.forEach((group) => group.pump()));
}
