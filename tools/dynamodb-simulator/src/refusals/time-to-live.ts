import { invalid } from '../rules/exceptions.ts';
import type { ClientRequest } from '../plans/plan.ts';

interface TimeToLive {
  TimeToLiveStatus?: string;
  AttributeName?: string;
}

/** Rejects enabling time to live twice for one attribute, and disabling it twice. @throws Refusal */
export async function checkTimeToLive(asked: ClientRequest): Promise<void> {
  const { operation, body, headers, upstream } = asked;
  if (operation !== 'UpdateTimeToLive') return;
  const wanted = body['TimeToLiveSpecification'] as { Enabled: boolean; AttributeName: string };
  const { TableName } = body;
  const answer = await upstream.ask('DescribeTimeToLive', { TableName }, headers);
  if (answer.status !== 200) return;
  const found = (answer.body['TimeToLiveDescription'] ?? {}) as TimeToLive;
  const isOn = found.TimeToLiveStatus === 'ENABLED' || found.TimeToLiveStatus === 'ENABLING';
  if (wanted.Enabled !== isOn) return;
  if (!isOn) throw invalid('TimeToLive is already disabled');
  throw invalid(
    found.AttributeName === wanted.AttributeName
      ? 'TimeToLive is already enabled'
      : 'TimeToLive is active on a different AttributeName',
  );
}
