import { stringify } from 'yaml';
import { absent } from './alerts/absent.ts';
import { brokerLimits } from './alerts/broker-limits.ts';
import { clientIdShared } from './alerts/client-id-shared.ts';
import { conservationBroken } from './alerts/conservation-broken.ts';
import { deadLetters } from './alerts/dead-letters.ts';
import { parkedBlocks } from './alerts/parked-blocks.ts';
import { crashLooping } from './alerts/crash-looping.ts';
import { errorBudget } from './alerts/error-budget.ts';
import { fullTextStale } from './alerts/full-text-stale.ts';
import { hotPartition } from './alerts/hot-partition.ts';
import { ingestionStalled } from './alerts/ingestion-stalled.ts';
import { latencyBudget } from './alerts/latency-budget.ts';
import { liveFeed } from './alerts/live-feed.ts';
import { notReady } from './alerts/not-ready.ts';
import { replicasMissing } from './alerts/replicas-missing.ts';
import { rollupsNotStored } from './alerts/rollups-not-stored.ts';
import { sessionLost } from './alerts/session-lost.ts';
import { subscriptionSilent } from './alerts/subscription-silent.ts';
import { tableThrottled } from './alerts/table-throttled.ts';
import { unrecognizedMessages } from './alerts/unrecognized-messages.ts';
import { budgetRules, requestRules } from './recording/http.ts';
import { ingestionRules } from './recording/ingestion.ts';
import { tableRules } from './recording/table.ts';
import type { AlertRule, RecordingRule, RuleGroup } from './rule.ts';

export type { AlertRule, RecordingRule, RuleGroup, Severity } from './rule.ts';

/** Equals the scrape interval; the promised times of alerts depend on it. */
const interval = '15s';

/** All alerts; several may share a name, with different labels. */
export function alerts(): AlertRule[] {
  return [
    ...hotPartition,
    ...tableThrottled,
    ...ingestionStalled,
    sessionLost,
    subscriptionSilent,
    ...brokerLimits,
    clientIdShared,
    ...deadLetters,
    unrecognizedMessages,
    ...parkedBlocks,
    ...liveFeed,
    conservationBroken,
    ...errorBudget,
    ...latencyBudget,
    ...absent,
    ...notReady,
    replicasMissing,
    crashLooping,
    ...fullTextStale,
    ...rollupsNotStored,
  ];
}

export function recordingRules(): RecordingRule[] {
  return [...ingestionRules, ...tableRules, ...requestRules, ...budgetRules];
}

/** Rules of a group are evaluated in order, so a rule's dependencies precede it. */
export function ruleGroups(): RuleGroup[] {
  return [
    { name: 'engawa-ingestion', interval, rules: ingestionRules },
    { name: 'engawa-table', interval, rules: tableRules },
    { name: 'engawa-requests', interval, rules: requestRules },
    { name: 'engawa-error-budget', interval: '1m', rules: budgetRules },
    { name: 'engawa-alerts', interval, rules: alerts() },
  ];
}

/**
 * A file of Prometheus rules, with `$namespace`, `$release`, `$runbooks` and the objective
 * (objective.ts) for the chart to fill in.
 */
export function ruleFile(): string {
  return stringify({ groups: ruleGroups() }, { lineWidth: 0 });
}
