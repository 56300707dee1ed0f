import { Age } from '../../parts/age.tsx';
import { formatBytes, formatExactBytes } from './format-health.ts';
import { healthTexts } from './texts.ts';
import { requirementOf } from './translate-health.ts';
import type {
  ProcessStatus,
  Requirement,
  ServiceStatus,
  StatusReport,
} from '../../../src/status/status-report.ts';

/** All processes of all services, and what they lack. */
export function ServicesCard({ report }: { report: StatusReport }) {
  const texts = healthTexts.value;
  const { services, console: own } = report;
  const versions = versionsOf(report);
  return (
    <section class="health-card" aria-labelledby="health-services">
      <h2 id="health-services">{texts.services}</h2>
      {versions.length > 1 && (
        <p class="notice health-versions">{texts.versions(versions.join(', '))}</p>
      )}
      <table class="table health-card-table">
        <thead>
          <tr>
            <th scope="col">{texts.service}</th>
            <th scope="col">{texts.state}</th>
            <th scope="col">{texts.lacks}</th>
            <th scope="col">{texts.process}</th>
            <th scope="col">{texts.version}</th>
            <th scope="col">{texts.started}</th>
            <th scope="col">{texts.memory}</th>
          </tr>
        </thead>
        <tbody>
          {services.flatMap((service) => serviceRows(service))}
          <tr>
            <th scope="row">{texts.console}</th>
            <State state="ready" />
            <td data-label={texts.lacks} class="muted">
              {texts.nothing}
            </td>
            <td data-label={texts.process} class="cell-empty" />
            <td data-label={texts.version}>{own.version}</td>
            <td data-label={texts.started}>
              <Age time={own.startedAt} />
            </td>
            <td data-label={texts.memory} class="cell-empty" />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function versionsOf({ services, console: own }: StatusReport): string[] {
  const all = services.flatMap(({ processes }) =>
    processes.flatMap(({ version }) => version ?? []),
  );
  return [...new Set([own.version, ...all])].sort();
}

function serviceRows({ name, processes, failure }: ServiceStatus) {
  if (processes.length > 0) {
    return processes.map((process) => (
      <ProcessRow key={`${name} ${process.address}`} service={name} process={process} />
    ));
  }
  const { noProcess, lacks } = healthTexts.value;
  return [
    <tr key={name} data-service={name}>
      <th scope="row">{name}</th>
      <State state="unreachable" />
      <td data-label={lacks} colSpan={5}>
        {noProcess}: {failure}
      </td>
    </tr>,
  ];
}

function State({ state }: { state: ProcessStatus['state'] }) {
  const texts = healthTexts.value;
  return (
    <td data-label={texts.state} class={`state-cell state-cell-${state}`}>
      <span class={`health-dot health-dot-${state}`} /> {texts.states[state]}
    </td>
  );
}

function ProcessRow({ service, process }: { service: string; process: ProcessStatus }) {
  const { address, state, missing, degraded, failure, version, startedAt, memory } = process;
  const texts = healthTexts.value;
  return (
    <tr data-service={service}>
      <th scope="row">{service}</th>
      <State state={state} />
      <td data-label={texts.lacks}>
        {state === 'unreachable' ? (
          <>
            {failure}. {texts.unreachableAdvice}
          </>
        ) : (
          <Lacks requirements={[...missing, ...degraded]} />
        )}
      </td>
      <td data-label={texts.process}>{address}</td>
      <td data-label={texts.version} class={version === undefined ? 'cell-empty' : undefined}>
        {version}
      </td>
      <td data-label={texts.started} class={startedAt === undefined ? 'cell-empty' : undefined}>
        {startedAt !== undefined && <Age time={startedAt} />}
      </td>
      <td
        data-label={texts.memory}
        class={memory === undefined ? 'cell-empty' : undefined}
        title={memory && formatExactBytes(memory.usedBytes)}
      >
        {memory !== undefined && <Memory memory={memory} />}
      </td>
    </tr>
  );
}

function Lacks({ requirements }: { requirements: readonly Requirement[] }) {
  if (requirements.length === 0) return <span class="muted">{healthTexts.value.nothing}</span>;
  return (
    <ul>
      {requirements.map((requirement) => (
        <li key={requirement.name}>
          <strong>{requirementOf(requirement) ?? requirement.name}</strong>:{' '}
          <span lang="en">{requirement.reason}</span>
        </li>
      ))}
    </ul>
  );
}

function Memory({ memory }: { memory: NonNullable<ProcessStatus['memory']> }) {
  const { usedBytes, limitBytes } = memory;
  if (limitBytes === undefined) return <>{formatBytes(usedBytes)}</>;
  return <>{healthTexts.value.memoryOf(formatBytes(usedBytes), formatBytes(limitBytes))}</>;
}
