import { formatDateTime } from '../../i18n/format.ts';
import { formatDollars, formatPrice, formatUnits } from './format-health.ts';
import { healthTexts } from './texts.ts';
import { UnitBars } from './unit-bars.tsx';
import type { Units, UnitsStatus } from '../../../src/status/status-report.ts';
import './unit-bars.css';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const hoursOfMonth = 720;

/** Units of the last hour by service, and what they cost on demand. */
export function CostCard({ units }: { units: UnitsStatus }) {
  const texts = healthTexts.value;
  const { since, services, total, dollars, minutes, price } = units;
  return (
    <section class="health-card" aria-labelledby="health-cost">
      <h2 id="health-cost">{texts.cost}</h2>
      <div class="health-cost">
        <div>
          <table class="table health-cost-table">
            <thead>
              <tr>
                <th scope="col">{texts.service}</th>
                <th scope="col" class="number">
                  {texts.readUnits}
                </th>
                <th scope="col" class="number">
                  {texts.writeUnits}
                </th>
                <th scope="col" class="number">
                  {texts.dollars}
                </th>
              </tr>
            </thead>
            <tbody>
              {services.map(({ name, total: sum, dollars: cost }) => (
                <CostRow key={name} name={name} units={sum} dollars={cost} />
              ))}
            </tbody>
            <tfoot>
              <CostRow name={texts.total} units={total} dollars={dollars} />
            </tfoot>
          </table>
        </div>
        <UnitBars minutes={minutes} since={since} />
      </div>
      <div class="health-card-text muted">
        {minutes.length < hourMs / minuteMs && (
          <p>{texts.costSince(formatDateTime(new Date(since)))}</p>
        )}
        <Rate units={units} />
        <p>
          {texts.price(formatPrice(price.read), formatPrice(price.write))} {price.source}
        </p>
      </div>
    </section>
  );
}

interface CostRowProps {
  name: string;
  units: Units;
  dollars: number;
}

function CostRow({ name, units: { read, write }, dollars }: CostRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number" title={String(read)}>
        {formatUnits(read)}
      </td>
      <td class="number" title={String(write)}>
        {formatUnits(write)}
      </td>
      <td class="number" title={`$${dollars}`}>
        {formatDollars(dollars)}
      </td>
    </tr>
  );
}

/** A month at the rate of the covered time; nothing where that is less than five minutes. */
function Rate({ units: { minutes, dollars } }: { units: UnitsStatus }) {
  // The last minute is not over.
  const covered = minutes.length - 1;
  if (covered < 5) return null;
  const perHour = (dollars * 60) / covered;
  return <p>{healthTexts.value.perMonth(formatDollars(perHour * hoursOfMonth))}</p>;
}
