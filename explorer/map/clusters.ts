import { markHeight, markWidth } from './looks.tsx';
import type { PlanePoint } from './projection.ts';

/** Marks that would overlap, drawn as one: the indexes of its points in order, and its position. */
export type Cluster = PlanePoint & { readonly members: readonly number[] };

/**
 * Merges points into clusters that do not overlap at a scale. Points for which `apart` is true stay alone. Panning does
 * not change clusters, so marks do not jump while the reader drags the map.
 */
export function clusterPoints(
  points: readonly PlanePoint[],
  metresPerPixel: number,
  apart: (index: number) => boolean,
): Cluster[] {
  let clusters = points.flatMap((point, index): Cluster[] => (apart(index) ? [] : [{ ...point, members: [index] }]));
  // A cluster lies in the middle of its points and is wider than a mark, so it may overlap others.
  for (let before = Infinity; clusters.length < before; ) {
    before = clusters.length;
    clusters = merged(clusters, metresPerPixel);
  }
  const alone = points.flatMap((point, index): Cluster[] => (apart(index) ? [{ ...point, members: [index] }] : []));
  return [...clusters, ...alone].sort((a, b) => topMember(a) - topMember(b));
}

/** The point that is drawn on top: the last one. */
function topMember({ members }: Cluster): number {
  return members.at(-1) ?? -1;
}

function merged(clusters: readonly Cluster[], metresPerPixel: number): Cluster[] {
  const left = new Set(clusters);
  return clusters.flatMap((cluster) => {
    if (!left.delete(cluster)) return [];
    const touching = [...left].filter((other) => isTouching(cluster, other, metresPerPixel));
    for (const other of touching) left.delete(other);
    return [touching.reduce(joinedCluster, cluster)];
  });
}

function isTouching(a: Cluster, b: Cluster, metresPerPixel: number): boolean {
  const width = (markWidth(a.members.length) + markWidth(b.members.length)) / 2;
  return Math.abs(a.x - b.x) < width * metresPerPixel && Math.abs(a.y - b.y) < markHeight * metresPerPixel;
}

function joinedCluster(a: Cluster, b: Cluster): Cluster {
  const members = [...a.members, ...b.members].sort((one, other) => one - other);
  const share = b.members.length / members.length;
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, members };
}
