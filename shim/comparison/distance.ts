import geographiclib from 'geographiclib-geodesic';

const { DISTANCE, WGS84 } = geographiclib.Geodesic;
/** Of the ellipsoid, in metres; and the square of its eccentricity. */
const equatorialRadius = WGS84.a;
const eccentricitySquared = WGS84.f * (2 - WGS84.f);
const degree = Math.PI / 180;

export type GeoPoint = { readonly latitude: number; readonly longitude: number };
/** A place on the ellipsoid, in metres from the centre of the earth. */
export type SpacePoint = { readonly x: number; readonly y: number; readonly z: number };

/** The geodesic distance on the WGS84 ellipsoid (Karney), rounded to the metre, contract.md 9. */
export function distanceInMetres(from: GeoPoint, to: GeoPoint): number {
  const { s12 } = WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude, DISTANCE);
  return Math.round(s12 as number);
}

export function spacePoint({ latitude, longitude }: GeoPoint): SpacePoint {
  const [sine, cosine] = [Math.sin(latitude * degree), Math.cos(latitude * degree)];
  const normal = equatorialRadius / Math.sqrt(1 - eccentricitySquared * sine * sine);
  return {
    x: normal * cosine * Math.cos(longitude * degree),
    y: normal * cosine * Math.sin(longitude * degree),
    z: normal * (1 - eccentricitySquared) * sine,
  };
}

/**
 * Whether two places are certainly farther apart than so many metres, told without a geodesic. No way on the surface
 * is shorter than the straight line through the earth, wherever the two are: poles and antimeridian are ordinary places
 * in space. The metre added is for the rounding of the distance (half of it) and of the numbers here (far less).
 */
export function isFartherThan(metres: number, from: SpacePoint, to: SpacePoint): boolean {
  const [x, y, z] = [from.x - to.x, from.y - to.y, from.z - to.z];
  return x * x + y * y + z * z > (metres + 1) ** 2;
}
