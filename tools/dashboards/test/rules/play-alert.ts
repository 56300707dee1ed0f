import { play } from './promtool.ts';
import type { DashboardUid } from '../../src/rules/rule.ts';
import type { Labels, Scenario } from './promtool.ts';

/** Labels of the firing alerts, without those of the release, by time. */
type Firings = Readonly<Record<string, readonly Labels[]>>;

export interface AlertScenario extends Omit<Scenario, 'firing' | 'annotated'> {
  firing?: Firings;
  /** The sentences of the alert that fires with these labels. */
  says?: { at: string; labels: Labels; summary: string; description: string };
}

/** @returns a function that plays scenarios of one alert and checks that its dashboard is always this one */
export function playerOf(
  alert: string,
  dashboard: DashboardUid,
): (scenario: AlertScenario) => void {
  return ({ firing = {}, says, ...scenario }) => {
    const annotated = says === undefined ? [] : [says];
    play({
      ...scenario,
      firing: Object.entries(firing).map(([at, labels]) => ({ at, alert, with: labels })),
      annotated: annotated.map(({ at, labels, ...sentences }) => ({
        ...{ at, alert, labels },
        annotations: { ...sentences, dashboard },
      })),
    });
  };
}

/** No alert fires at these times. */
export function silentAt(...times: string[]): Firings {
  return Object.fromEntries(times.map((at) => [at, []]));
}
