import type { ClientRequest } from '../plans/plan.ts';

interface TimeToLive {
  TimeToLiveStatus?: string;
  AttributeName?: string;
}

/** Rejects enabling time to live twice for one attribute, and disabling it twice. */
export async function refusedTimeToLive(asked: ClientRequest): Promise<string | undefined> {
  const { operation, body, headers, upstream } = asked;
  if (operation !== 'UpdateTimeToLive') return undefined;
  const wanted = body['TimeToLiveSpecification'] as { Enabled: boolean; AttributeName: string };
  const { TableName } = body;
  const answer = await upstream.ask('DescribeTimeToLive', { TableName }, headers);
  if (answer.status !== 200) return undefined;
  const found = (answer.body['TimeToLiveDescription'] ?? {}) as TimeToLive;
  const isOn = found.TimeToLiveStatus === 'ENABLED' || found.TimeToLiveStatus === 'ENABLING';
  if (!wanted.Enabled) return isOn ? undefined : 'TimeToLive is already disabled';
  if (!isOn) return undefined;
  return found.AttributeName === wanted.AttributeName
    ? 'TimeToLive is already enabled'
    : 'TimeToLive is active on a different AttributeName';
}
