import { useState } from 'preact/hooks';
import type { Size } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

type Movements = {
  readonly move: (pixels: PlanePoint) => void;
  readonly zoom: (factor: number) => void;
  readonly showAll: () => void;
};

const step = 0.2;
const factor = 1.6;

/** Moves or zooms a map by key. Returns false for other keys. */
export function moveByKey(key: string, { move, zoom, showAll }: Movements, { width, height }: Size): boolean {
  if (key === 'ArrowLeft') move({ x: width * step, y: 0 });
  else if (key === 'ArrowRight') move({ x: -width * step, y: 0 });
  else if (key === 'ArrowUp') move({ x: 0, y: height * step });
  else if (key === 'ArrowDown') move({ x: 0, y: -height * step });
  else if (key === '+' || key === '=') zoom(factor);
  else if (key === '-' || key === '_') zoom(1 / factor);
  else if (key === '0') showAll();
  else return false;
  return true;
}

/** Buttons: the key that does the same, the label, and the icon as a path in a square of 16. */
const zooms = [
  ['+', 'Zoom in', 'M8 2V14M2 8H14'],
  ['-', 'Zoom out', 'M2 8H14'],
  ['0', 'Show all stores', 'M2 6V2H6M10 2H14V6M14 10V14H10M6 14H2V10'],
] as const;
const arrows = [
  ['ArrowUp', 'Move north', 'M8 14V2M3 7 8 2 13 7'],
  ['ArrowLeft', 'Move west', 'M14 8H2M7 3 2 8 7 13'],
  ['ArrowRight', 'Move east', 'M2 8H14M9 3 14 8 9 13'],
  ['ArrowDown', 'Move south', 'M8 2V14M3 9 8 14 13 9'],
] as const;
const moveSign = 'M8 1V15M1 8H15M6 3 8 1 10 3M6 13 8 15 10 13M3 6 1 8 3 10M13 6 15 8 13 10';

/**
 * Buttons for what keys and gestures do, for readers who can only click (WCAG 2.5.7). The arrows are in a group that
 * opens, because most readers drag the map.
 */
export function MapControls({ size, ...movements }: Movements & { readonly size: Size }) {
  const [isMoving, setMoving] = useState(false);
  const buttons = (of: typeof zooms | typeof arrows) =>
    of.map(([key, label, sign]) => (
      <button type="button" key={key} aria-label={label} title={label} onClick={() => moveByKey(key, movements, size)}>
        <Sign path={sign} />
      </button>
    ));
  return (
    <fieldset class="map-controls" aria-label="Zoom and move the map">
      {buttons(zooms)}
      <button
        type="button"
        aria-label="Move the map"
        title="Move the map"
        aria-expanded={isMoving}
        onClick={() => setMoving(!isMoving)}
      >
        <Sign path={moveSign} />
      </button>
      {isMoving && <div class="map-arrows">{buttons(arrows)}</div>}
    </fieldset>
  );
}

function Sign({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
