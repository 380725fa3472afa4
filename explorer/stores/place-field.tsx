import { useEffect, useId, useState } from 'preact/hooks';
import { pointText } from './gazetteer.ts';
import type { Near } from './use-near.ts';

/**
 * A field for where to look for stores: a ZIP code, a city, the street of a store, coordinates, or the browser's
 * location.
 */
export function PlaceField({ near: { text, place, gazetteer, choose } }: { readonly near: Near }) {
  const id = useId();
  const [typed, setTyped] = useState(text);
  const [said, setSaid] = useState('');
  useEffect(() => setTyped(text), [text]);
  const names = gazetteer?.names ?? [];
  const take = (next: string) => {
    setSaid('');
    choose(next.trim());
  };
  const isUnknown = text !== '' && gazetteer !== null && place === null;
  const suggestions = isUnknown ? gazetteer.suggestions(text) : [];
  return (
    <form
      class="controls place-field"
      onSubmit={(event) => {
        event.preventDefault();
        take(typed);
      }}
    >
      <label class="wide">
        Near
        <input
          type="search"
          name="near"
          list={id}
          autocomplete="off"
          maxLength={120}
          placeholder={names.some(({ name }) => /^\d+$/.test(name)) ? 'ZIP code, city or street' : 'City or street'}
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            // A name from the list, or nothing, is taken at once.
            if (value === '' || names.some(({ name }) => name === value)) take(value);
          }}
          onChange={({ currentTarget: { value } }) => take(value)}
        />
      </label>
      <datalist id={id}>
        {names.map(({ name, note }) => (
          <option key={`${name} ${note}`} value={name}>
            {note}
          </option>
        ))}
      </datalist>
      <button type="button" onClick={() => locate(setSaid, choose)}>
        My location
      </button>
      {said !== '' && <span role="status">{said}</span>}
      {isUnknown && (
        <span role="status">
          No store is at “{text}”, so its location is not known.
          {suggestions.length > 0 && ' Did you mean '}
          {suggestions.map(({ name, note }, at) => (
            <>
              {at > 0 && ' or '}
              <button key={name} type="button" class="small" onClick={() => take(name)}>
                {name}, {note}
              </button>
            </>
          ))}
          {suggestions.length > 0 && '?'}
        </span>
      )}
    </form>
  );
}

function locate(say: (text: string) => void, found: (point: string) => void): void {
  if (!('geolocation' in navigator)) {
    say('This browser does not share its location here.');
    return;
  }
  say('Asking the browser…');
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      say('Using the browser’s location, rounded to about 100 metres. It is not sent to any other host.');
      found(pointText({ latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) }));
    },
    ({ code, PERMISSION_DENIED }) =>
      say(
        code === PERMISSION_DENIED
          ? 'The browser is not allowed to share its location. Type a city or a ZIP code.'
          : 'The browser does not know its location. Type a city or a ZIP code.',
      ),
    { maximumAge: 600_000, timeout: 20_000 },
  );
}

/** Rounds to three decimals of a degree, about 100 metres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e3) / 1e3;
}
