import { formatDateTime, formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { healthTexts } from './texts.ts';
import type { UnverifiedStatus } from '../../../src/status/status-report.ts';

interface UnverifiedProps {
  status: UnverifiedStatus;
  /** Whether an older report is shown below. */
  hasReport: boolean;
}

/** What the page knows while no service can check the token: which services answer. */
export function Unverified({ status: { services, time }, hasReport }: UnverifiedProps) {
  const { problems, unverified, olderBelow, askedAt } = healthTexts.value;
  const count = services.filter(({ answers }) => !answers).length;
  return (
    <div class="health-verdict health-bad" role="status">
      <strong class="health-verdict-title">
        <Icon name="warning" /> {problems(formatInteger(Math.max(count, 1)))}
      </strong>
      <ul>
        {services.map(({ name, answers }) => (
          <li key={name} data-service={name}>
            {answers ? unverified.cannotCheck(name) : unverified.doesNotAnswer(name)}
          </li>
        ))}
      </ul>
      <p>{unverified.why}</p>
      <p>{count > 0 ? unverified.advice : unverified.issuerAdvice}</p>
      <p class="muted">
        {askedAt(formatDateTime(new Date(time)))}
        {hasReport && ` ${olderBelow}`}
      </p>
    </div>
  );
}
