import { useState } from 'preact/hooks';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { Near } from '../components/near.tsx';
import type { GeoPoint } from '../map/projection.ts';
import { numberOf } from './question.ts';

/** The place of a question: a city, the browser's location after a press of a button, or typed coordinates. */
export function PlaceForm({
  place,
  stores,
  onChange,
}: {
  readonly place: GeoPoint | null;
  readonly stores: readonly StoreSummary[];
  readonly onChange: (place: GeoPoint | null) => void;
}) {
  const [said, setSaid] = useState('');
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const latitude = numberOf(String(data.get('lat')), -90, 90);
    const longitude = numberOf(String(data.get('lng')), -180, 180);
    if (latitude === null) setSaid('The latitude must be a number from -90 to 90, such as 40.76.');
    else if (longitude === null) setSaid('The longitude must be a number from -180 to 180, such as -111.89.');
    else {
      setSaid('');
      onChange({ latitude, longitude });
    }
  };
  return (
    <section aria-labelledby="compare-place">
      <h2 id="compare-place">Place</h2>
      <div class="controls">
        <Near stores={stores} place={place} onChoose={(chosen) => onChange(chosen && onlyPoint(chosen))} />
      </div>
      {/* A place that comes from elsewhere makes new fields, which begin with it. */}
      <form
        class="controls"
        key={`${place?.latitude} ${place?.longitude}`}
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <label class="coordinate">
          Latitude
          <input name="lat" inputMode="decimal" autocomplete="off" defaultValue={place?.latitude ?? ''} />
        </label>
        <label class="coordinate">
          Longitude
          <input name="lng" inputMode="decimal" autocomplete="off" defaultValue={place?.longitude ?? ''} />
        </label>
        <button type="submit">Set</button>
        <span class="muted">or click on the map</span>
      </form>
      <p role="status">{said}</p>
    </section>
  );
}

function onlyPoint({ latitude, longitude }: GeoPoint): GeoPoint {
  return { latitude, longitude };
}
