import { useState } from 'preact/hooks';
import type { GeoPoint } from '../map/projection.ts';
import { numberOf } from './question.ts';

/** The place of a question: typed coordinates, or the browser's location after a press of a button. */
export function PlaceForm({
  place,
  onChange,
}: {
  readonly place: GeoPoint | null;
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
  const locate = () => {
    if (!('geolocation' in navigator)) {
      setSaid('This browser gives no location here. Type coordinates, or click on the map.');
      return;
    }
    setSaid('Asking the browser…');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setSaid('The browser’s location is used, rounded to about 100 metres.');
        onChange({ latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) });
      },
      ({ code, PERMISSION_DENIED }) =>
        setSaid(
          code === PERMISSION_DENIED
            ? 'The browser may not tell its location. Type coordinates, or click on the map.'
            : 'The browser does not know its location. Type coordinates, or click on the map.',
        ),
      { maximumAge: 600_000, timeout: 20_000 },
    );
  };
  return (
    <section aria-labelledby="compare-place">
      <h2 id="compare-place">Place</h2>
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
        <button type="button" onClick={locate}>
          Use my location
        </button>
      </form>
      <p role="status">{said}</p>
      <p class="muted">
        Or click on the map. The place becomes a part of this page’s address, and of what the page asks this site. It
        goes to no other host.
      </p>
    </section>
  );
}

/** Three decimals of a degree are about 100 metres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e3) / 1e3;
}
