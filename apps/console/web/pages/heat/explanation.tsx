import { useEffect, useRef } from 'preact/hooks';
import { formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { ServiceText } from '../../parts/service-text.tsx';
import { formatClock, formatPercent, formatRate, formatUnits } from './heat-format.ts';
import { heatTexts, rowName } from './texts.ts';
import { adviceAt, descriptionOf, reasonOf, writersOf } from './translate-heat.ts';
import type { HeatGrid } from './heat-grid.ts';
import type { HeatRow } from './heat-row.ts';
import type { ReportedPartition } from './feed/merge-reports.ts';

interface ExplanationProps {
  row: HeatRow | undefined;
  /** How partition keys are named: only a whole key leads to its items. */
  keys: HeatGrid['keys'];
  /** The reports of this key, at most one for reads and one for writes. */
  reported: readonly ReportedPartition[];
  onClose: () => void;
}

/** What a key is, which service writes it, why it is hot, and what to do. */
export function Explanation({ row, keys, reported, onClose }: ExplanationProps) {
  const { explain } = heatTexts.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const id = row?.id;
  useEffect(() => heading.current?.focus({ preventScroll: true }), [id]);
  const [first] = reported;
  const partition = first?.partition ?? row?.partition;
  const isMerged = row?.merged === true;
  return (
    <section class="heat-explanation" aria-label={explain.title}>
      <header>
        <h2 ref={heading} tabIndex={-1} class="heat-key">
          {row === undefined ? (partition ?? explain.title) : rowName(row)}
        </h2>
        <button
          type="button"
          class="button icon-button"
          aria-label={explain.close}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      {first !== undefined && (
        <p>
          <ServiceText text={first.description} translated={descriptionOf(first)} />
        </p>
      )}
      {isMerged && <p>{explain.merged}</p>}
      {row === undefined && first === undefined && <p>{explain.gone}</p>}
      <Facts row={row} first={first} />
      {reported.map((one) => (
        <Heat key={one.unit} partition={one} />
      ))}
      {row !== undefined && first === undefined && !isMerged && (
        <p class="muted">{explain.notNow}</p>
      )}
      {partition !== undefined && !isMerged && (
        <ItemsLink index={first?.index ?? row?.index ?? 'table'} {...{ keys, partition }} />
      )}
    </section>
  );
}

function Facts({ row, first }: { row: HeatRow | undefined; first: ReportedPartition | undefined }) {
  const { explain, columns, cell, ofLimit } = heatTexts.value;
  const kind = first?.kind ?? row?.kind;
  return (
    <dl class="facts">
      <Fact name={columns.index} value={first?.index ?? row?.index} />
      <Fact name={explain.kind} value={kind} />
      <Fact name={explain.writtenBy} value={first && (writersOf(first) ?? first.writtenBy)} />
      <Fact
        name={explain.shards}
        value={first?.shards === undefined ? undefined : formatInteger(first.shards)}
      />
      {row !== undefined && (
        <Fact
          name={explain.window}
          value={`${cell(
            formatUnits(row.total.reads),
            formatUnits(row.total.writes),
            formatUnits(row.total.throttles),
          )} · ${columns.peak} ${ofLimit(formatPercent(row.peak))}`}
        />
      )}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The heat of the last ten seconds, for reads or writes. */
function Heat({ partition }: { partition: ReportedPartition }) {
  const { explain, ofLimit, perSecond } = heatTexts.value;
  const { unit, unitsPerSecond, utilization, reason, advice, hotSince } = partition;
  return (
    <div class="heat-reason">
      <h3>
        {explain.unit[unit]}: {formatRate(unitsPerSecond)} {perSecond} ·{' '}
        {ofLimit(formatPercent(utilization))}
      </h3>
      {hotSince !== undefined && (
        <p>
          {explain.hotSince} <time dateTime={hotSince}>{formatClock(new Date(hotSince))}</time>
        </p>
      )}
      <p class="sentence">
        <ServiceText text={reason} translated={reasonOf(partition)} />
      </p>
      {advice.length === 0 ? (
        <p class="muted">{explain.noAdvice}</p>
      ) : (
        <>
          <h4>{explain.advice}</h4>
          <ol>
            {advice.map((text, at) => (
              <li key={text}>
                <ServiceText text={text} translated={adviceAt(partition, at)} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

interface ItemsLinkProps {
  index: string;
  partition: string;
  keys: HeatGrid['keys'];
}

function ItemsLink({ index, partition, keys }: ItemsLinkProps) {
  const { items, hidden } = heatTexts.value.explain;
  if (keys !== 'shown') return <p class="muted">{hidden}</p>;
  const query = new URLSearchParams({ view: 'items', index, pk: partition });
  return (
    <p>
      <a href={`/table?${query.toString()}`}>{items}</a>
    </p>
  );
}
