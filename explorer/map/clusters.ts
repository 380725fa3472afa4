import { markHeight, markWidth } from './mark-width.ts';
import type { PlanePoint } from './projection.ts';

/** Marks that would lie on each other, as one: the numbers of its points, in their order, and its place among them. */
export type Cluster = PlanePoint & { readonly members: readonly number[] };

/**
 * Points in clusters that do not touch each other where a pixel is so many metres. Those of `apart` stay alone. What the map moves by
 * changes nothing, so marks do not jump under a reader who drags it.
 */
export function clusterPoints(
  points: readonly PlanePoint[],
  metresPerPixel: number,
  apart: (index: number) => boolean,
): Cluster[] {
  let clusters = points.flatMap((point, index): Cluster[] => (apart(index) ? [] : [{ ...point, members: [index] }]));
  // A cluster is in the middle of its points and wider than they are, so it may touch others.
  for (let before = Infinity; clusters.length < before; ) {
    before = clusters.length;
    clusters = merged(clusters, metresPerPixel);
  }
  const alone = points.flatMap((point, index): Cluster[] => (apart(index) ? [{ ...point, members: [index] }] : []));
  return [...clusters, ...alone].sort((a, b) => topMember(a) - topMember(b));
}

/** The point of a cluster that is drawn on top: the last one. */
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
