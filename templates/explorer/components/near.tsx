import { useEffect, useMemo, useState } from 'preact/hooks';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { distanceBetween, type GeoPoint, middleOf } from '../map/projection.ts';
import { choicesOf } from '../stores/store-words.ts';
import { Choice } from './choice.tsx';
import { countOf } from './text.ts';

/** Where the reader looks for stores: a name, and a place. It is kept until the page is left, and is stored nowhere. */
export type Here = GeoPoint & { readonly name: string };

let here: Here | null = null;
const watchers = new Set<(here: Here | null) => void>();

function setHere(next: Here | null): void {
  here = next;
  for (const watch of watchers) watch(next);
}

/** The place that the reader chose in any view. */
export function useHere(): Here | null {
  const [known, setKnown] = useState(here);
  useEffect(() => {
    watchers.add(setKnown);
    return () => {
      watchers.delete(setKnown);
    };
  }, []);
  return known;
}

/** Metres from a place to a store; null where one of them is not known. */
export function distanceTo(from: GeoPoint | null, { location }: Pick<StoreSummary, 'location'>): number | null {
  return from && location && distanceBetween(from, location);
}

/** The middle of a city's stores, for every city that has a store with a location. */
export function citiesOf(stores: readonly StoreSummary[]): readonly Here[] {
  return choicesOf(stores, ({ address, location }) => (location === null ? [] : [address.city])).map(({ code }) => ({
    ...middleOf(stores.flatMap(({ address, location }) => (address.city === code && location ? [location] : []))),
    name: code,
  }));
}

/** Chooses a place: a city with stores or, at the press of a button, the browser's location. `place`: the one that is in use elsewhere. */
export function Near({
  stores,
  place,
  onChoose,
}: {
  readonly stores: readonly StoreSummary[];
  readonly place?: GeoPoint | null;
  readonly onChoose?: (place: GeoPoint | null) => void;
}) {
  const last = useHere();
  const isElsewhere = place !== undefined && (place === null || last === null || distanceBetween(place, last) > 1);
  const known = isElsewhere ? null : last;
  const [said, setSaid] = useState('');
  const cities = useMemo(() => citiesOf(stores), [stores]);
  const options = useMemo(() => {
    const counts = new Map(choicesOf(stores, ({ address }) => [address.city]).map(({ code, count }) => [code, count]));
    return cities.map(({ name }) => [name, `${name} (${countOf(counts.get(name) ?? 0, 'store')})`] as const);
  }, [stores, cities]);
  const choose = (next: Here | null) => {
    setHere(next);
    onChoose?.(next);
  };
  return (
    <>
      <Choice
        label="Near"
        any="Anywhere"
        options={options}
        value={known?.name ?? ''}
        onChange={(name) => {
          setSaid('');
          choose(cities.find((city) => city.name === name) ?? null);
        }}
      />
      <button type="button" onClick={() => locate(setSaid, choose)}>
        Use my location
      </button>
      {said !== '' && <span role="status">{said}</span>}
    </>
  );
}

function locate(say: (text: string) => void, found: (here: Here) => void): void {
  if (!('geolocation' in navigator)) {
    say('This browser gives no location here.');
    return;
  }
  say('Asking the browser…');
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      say('The browser’s location is used, rounded to about 100 metres. It goes to no other host.');
      found({ name: 'My location', latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) });
    },
    ({ code, PERMISSION_DENIED }) =>
      say(
        code === PERMISSION_DENIED
          ? 'The browser may not tell its location. Choose a city.'
          : 'The browser does not know its location. Choose a city.',
      ),
    { maximumAge: 600_000, timeout: 20_000 },
  );
}

/** Three decimals of a degree are about 100 metres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e3) / 1e3;
}
