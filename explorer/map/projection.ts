/** A point on the earth, in degrees. */
export type GeoPoint = { readonly latitude: number; readonly longitude: number };

/** A point in the plane of a map, in metres. x grows to the east and y to the south, as on a screen. */
export type PlanePoint = { readonly x: number; readonly y: number };

/** Converts between the earth and the plane. */
export type Projection = {
  readonly toPlane: (point: GeoPoint) => PlanePoint;
  readonly toEarth: (point: PlanePoint) => GeoPoint;
};

/** The radius of the sphere with the area of the WGS84 ellipsoid, in metres. */
export const earthRadius = 6_371_007.2;
const degree = Math.PI / 180;

/**
 * The Lambert azimuthal equal-area projection around a centre (Snyder, Map Projections: A Working Manual, 24). It
 * preserves areas everywhere and, within a state, distances to about one part in a thousand.
 */
export function projectionAround(centre: GeoPoint): Projection {
  const [sine, cosine] = [Math.sin(centre.latitude * degree), Math.cos(centre.latitude * degree)];
  return {
    toPlane: ({ latitude, longitude }) => {
      const [sinLatitude, cosLatitude] = [Math.sin(latitude * degree), Math.cos(latitude * degree)];
      const turn = (longitude - centre.longitude) * degree;
      const nearness = 1 + sine * sinLatitude + cosine * cosLatitude * Math.cos(turn);
      // The antipode is the whole rim of the map; the lower bound keeps the result finite.
      const scale = earthRadius * Math.sqrt(2 / Math.max(nearness, 1e-9));
      return {
        x: scale * cosLatitude * Math.sin(turn),
        y: -scale * (cosine * sinLatitude - sine * cosLatitude * Math.cos(turn)),
      };
    },
    toEarth: ({ x, y }) => {
      const distance = Math.hypot(x, y);
      if (distance === 0) return centre;
      const angle = 2 * Math.asin(Math.min(1, distance / (2 * earthRadius)));
      const [sinAngle, cosAngle] = [Math.sin(angle), Math.cos(angle)];
      const latitude = Math.asin(withinOne(cosAngle * sine - (y * sinAngle * cosine) / distance));
      const turn = Math.atan2(x * sinAngle, distance * cosine * cosAngle + y * sine * sinAngle);
      return { latitude: latitude / degree, longitude: turnedIntoRange(centre.longitude + turn / degree) };
    },
  };
}

/**
 * The middle of points, computed from their directions as seen from the centre of the earth, so that 180° of longitude
 * is not a border.
 */
export function middlePoint(points: readonly GeoPoint[]): GeoPoint {
  let [x, y, z] = [0, 0, 0];
  for (const { latitude, longitude } of points) {
    x += Math.cos(latitude * degree) * Math.cos(longitude * degree);
    y += Math.cos(latitude * degree) * Math.sin(longitude * degree);
    z += Math.sin(latitude * degree);
  }
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / degree, longitude: Math.atan2(y, x) / degree };
}

/** A circle around a centre, as a closed line. */
export function circleAround(centre: GeoPoint, radiusM: number): GeoPoint[] {
  const { toEarth } = projectionAround(centre);
  // The projection maps a distance to its chord.
  const chord = 2 * earthRadius * Math.sin(Math.min(Math.PI, radiusM / earthRadius) / 2);
  return Array.from({ length: 97 }, (_, step) => {
    const angle = (step / 96) * 2 * Math.PI;
    return toEarth({ x: chord * Math.sin(angle), y: chord * Math.cos(angle) });
  });
}

function withinOne(value: number): number {
  return Math.max(-1, Math.min(1, value));
}

function turnedIntoRange(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** The distance between two points in metres, on a sphere, which differs from the ellipsoid by less than 0.6 %. */
export function distanceBetween(a: GeoPoint, b: GeoPoint): number {
  const half = (from: number, to: number) => Math.sin(((to - from) * degree) / 2) ** 2;
  const across = Math.cos(a.latitude * degree) * Math.cos(b.latitude * degree) * half(a.longitude, b.longitude);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half(a.latitude, b.latitude) + across)));
}
