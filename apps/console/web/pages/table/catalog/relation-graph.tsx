import { isNarrow } from '../../../parts/media.ts';
import { tableTexts } from '../texts.ts';

/** A neighbour in the graph. */
export interface Neighbour {
  href: string;
  name: string;
  detail: string;
  /** The names of the relations. */
  relation: string;
}

interface RelationGraphProps {
  label: string;
  centre: string;
  detail: string;
  incoming: readonly Neighbour[];
  outgoing: readonly Neighbour[];
}

/** Height of a neighbour with its distance, and width of the lines, in pixels. */
const rowHeight = 56;
const linesWidth = 64;

/** What leads to a node on the left, what it leads to on the right; each neighbour is a link that walks there. */
export function RelationGraph({ label, centre, detail, incoming, outgoing }: RelationGraphProps) {
  const texts = tableTexts.value.catalog;
  if (incoming.length + outgoing.length === 0) return <p class="muted">{texts.noRelations}</p>;
  const height = Math.max(incoming.length, outgoing.length, 1) * rowHeight;
  return (
    <div class="graph" role="group" aria-label={label}>
      <Neighbours title={texts.incoming} neighbours={incoming} isIncoming />
      <Lines count={incoming.length} height={height} isIncoming />
      <div class="graph-centre">
        <strong>{centre}</strong>
        <span class="muted">{detail}</span>
      </div>
      <Lines count={outgoing.length} height={height} />
      <Neighbours title={texts.outgoing} neighbours={outgoing} />
    </div>
  );
}

interface NeighboursProps {
  title: string;
  neighbours: readonly Neighbour[];
  isIncoming?: boolean;
}

function Neighbours({ title, neighbours, isIncoming = false }: NeighboursProps) {
  const arrow = <span aria-hidden="true">→</span>;
  return (
    <ul class="graph-side" aria-label={title}>
      {neighbours.map(({ href, name, detail, relation }) => (
        <li key={`${relation} ${href}`}>
          <a class="graph-node" href={href}>
            <span class="graph-relation">
              {!isIncoming && arrow} {relation} {isIncoming && arrow}
            </span>
            <span class="graph-name">
              {name} <span class="muted">{detail}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Curves from each neighbour to the centre. */
function Lines({
  count,
  height,
  isIncoming = false,
}: {
  count: number;
  height: number;
  isIncoming?: boolean;
}) {
  if (isNarrow.value) return null;
  const middle = height / 2;
  const top = middle - (count * rowHeight) / 2;
  const [near, far] = isIncoming ? [0, linesWidth] : [linesWidth, 0];
  return (
    <svg class="graph-lines" width={linesWidth} height={height} aria-hidden="true">
      {Array.from({ length: count }, (_, at) => {
        const y = top + (at + 0.5) * rowHeight;
        const half = linesWidth / 2;
        return (
          <path key={at} d={`M${near} ${y}C${half} ${y} ${half} ${middle} ${far} ${middle}`} />
        );
      })}
    </svg>
  );
}
