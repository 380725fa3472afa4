import { useEffect, useState } from 'preact/hooks';
import { earthRadius, type Projection } from './projection.ts';

/** Lines behind a map, as longitudes and latitudes. */
export type Outline = { readonly lines: readonly (readonly (readonly [number, number])[])[] };

let read: Promise<Outline | null> | null = null;

const nameInPage = () => document.querySelector<HTMLMetaElement>('meta[name="shelfpress-outline"]')?.content;

/** The outline that the document names, read once; null while it is read, or if there is none. */
export function useOutline() {
  const [state, setState] = useState<Outline | Error | null>(null);
  useEffect(() => {
    read ??= readOutline();
    read.then(setState, setState);
  }, []);
  const isNamed = nameInPage() !== undefined;
  return state instanceof Error ? { isNamed, outline: null, error: state } : { isNamed, outline: state, error: null };
}

async function readOutline(): Promise<Outline | null> {
  const name = nameInPage();
  if (name === undefined) return null;
  const response = await fetch(new URL(name, document.baseURI));
  if (!response.ok) throw new Error(`${name}: expected the outline of the map, got ${response.status}`);
  return (await response.json()) as Outline;
}

/** Whether a line ends where it begins. */
export function isRing(line: Outline['lines'][number]): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return line.length > 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

/** An outline as an SVG path in metres, without the far side of the earth. */
export function outlinePath({ lines }: Outline, { toPlane }: Projection): string {
  const path: string[] = [];
  for (const line of lines) {
    let isDown = false;
    for (const [longitude, latitude] of line) {
      const { x, y } = toPlane({ latitude, longitude });
      const isNear = Math.hypot(x, y) < earthRadius;
      if (isNear) path.push(`${isDown ? 'L' : 'M'}${Math.round(x)} ${Math.round(y)}`);
      isDown = isNear;
    }
  }
  return path.join('');
}
