import { formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { problemsOf } from './problems-of.ts';
import { healthTexts } from './texts.ts';
import { requirementOf, summaryOf } from './translate-health.ts';
import type { Requirement, StatusReport } from '../../../src/status/status-report.ts';
import type { HealthProblem } from './problems-of.ts';

/** The answer to "is it well?", before everything else. */
export function Verdict({ report }: { report: StatusReport }) {
  const { allWell, problems: title } = healthTexts.value;
  const problems = problemsOf(report);
  if (problems.length === 0) {
    return (
      <div class="health-verdict health-well" role="status">
        <span class="health-dot health-dot-ready" /> <strong>{allWell}</strong>
      </div>
    );
  }
  return (
    <div class="health-verdict health-bad" role="status">
      <strong class="health-verdict-title">
        <Icon name="warning" /> {title(formatInteger(problems.length))}
      </strong>
      <ul>
        {problems.map((problem) => (
          <li key={sentence(problem)}>{sentence(problem)}</li>
        ))}
      </ul>
    </div>
  );
}

function sentence(problem: HealthProblem): string {
  const texts = healthTexts.value.problem;
  switch (problem.kind) {
    case 'unreachable':
      return texts.unreachable(problem.service, problem.why);
    case 'lacks':
      return texts.lacks(problem.service, whyOf(problem.requirement));
    case 'broker':
      return texts.broker(problem.address);
    case 'alert':
      return texts.alert(summaryOf(problem.alert) ?? problem.alert.summary ?? problem.alert.name);
  }
}

/** The list of services has the reason, which is in English. */
function whyOf(requirement: Requirement): string {
  return requirementOf(requirement) ?? `${requirement.name}: ${requirement.reason}`;
}
