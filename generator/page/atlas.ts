import { createRequire } from 'node:module';
import { iso31661Alpha2ToNumeric, iso31662 } from 'iso-3166';
import { feature } from 'topojson-client';
import { type Line, readGeoJsonLines } from './geojson-lines.ts';

/* Borders in the public domain: states from the US Census Bureau, countries from Natural Earth. */

type Topology = Parameters<typeof feature>[0];
type Area = Parameters<typeof feature>[1] & { readonly id?: string; readonly properties: { readonly name: string } };
type Atlas<Name extends string> = Topology & {
  readonly objects: Record<Name, { readonly geometries: readonly Area[] }>;
};

const require = createRequire(import.meta.url);

/** The borders of a country such as `NO`, or of a state such as `US-UT`, as rings; null for an unknown area. */
export function areaLines(code: string): Line[] | null {
  return code.length === 2 ? countryLines(code) : stateLines(code);
}

function countryLines(code: string): Line[] | null {
  const number = iso31661Alpha2ToNumeric[code];
  // Areas without a code have no number either.
  if (number === undefined) return null;
  const atlas: Atlas<'countries'> = require('world-atlas/countries-10m.json');
  const area = atlas.objects.countries.geometries.find(({ id }) => id === number);
  return area ? readGeoJsonLines(feature(atlas, area), code) : null;
}

function stateLines(code: string): Line[] | null {
  const name = iso31662.find((state) => state.code === code)?.name;
  const atlas: Atlas<'states'> = require('us-atlas/states-10m.json');
  const area = atlas.objects.states.geometries.find(({ properties }) => properties.name === name);
  return area ? readGeoJsonLines(feature(atlas, area), code) : null;
}
