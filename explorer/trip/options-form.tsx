import { useState } from 'preact/hooks';
import { countNoun, distanceText } from '../parts/text.ts';
import type { Question } from './question.ts';

/** The options of a comparison: the radius, the stops, and which reports count. */
export function OptionsForm({
  question,
  onChange,
}: {
  readonly question: Question;
  readonly onChange: (changed: Partial<Question>) => void;
}) {
  const { radius_m, max_stops, purchase_eligibility, inventory_age } = question;
  // The form may be drawn again while the reader types.
  const [typed, setTyped] = useState<string | null>(null);
  const summary = [
    `within ${distanceText(radius_m)}`,
    `at most ${countNoun(max_stops, 'stop')}`,
    inventory_age === 'any_age' ? 'reports of any age' : 'recent reports',
    ...(purchase_eligibility === 'any' ? [] : ['open to consumers']),
  ];
  return (
    <details>
      <summary>Options: {summary.join(', ')}</summary>
      <div class="controls">
        <label>
          Radius in km
          <input
            type="number"
            min="0.1"
            max="500"
            step="any"
            value={typed ?? String(radius_m / 1000)}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onChange={({ currentTarget }) => {
              const radius = Math.round(currentTarget.valueAsNumber * 1000);
              setTyped(null);
              if (radius >= 1 && radius <= 500_000) onChange({ radius_m: radius });
            }}
          />
        </label>
        <label>
          Maximum stops
          <select
            value={max_stops}
            onChange={({ currentTarget }) => onChange({ max_stops: Number(currentTarget.value) })}
          >
            {[1, 2, 3].map((stops) => (
              <option key={stops} value={stops}>
                {stops}
              </option>
            ))}
          </select>
        </label>
        <label>
          A product counts if it is
          <select
            value={purchase_eligibility}
            onChange={({ currentTarget }) =>
              onChange({ purchase_eligibility: currentTarget.value === 'any' ? 'any' : 'eligible' })
            }
          >
            <option value="eligible">reported, and open to consumers</option>
            <option value="any">reported at all</option>
          </select>
        </label>
        <label>
          Reports
          <select
            value={inventory_age}
            onChange={({ currentTarget }) =>
              onChange({ inventory_age: currentTarget.value === 'any_age' ? 'any_age' : 'within_policy' })
            }
          >
            <option value="within_policy">recent only</option>
            <option value="any_age">any age</option>
          </select>
        </label>
      </div>
    </details>
  );
}
