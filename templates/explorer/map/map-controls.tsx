import type { Size } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

type Movements = {
  readonly move: (pixels: PlanePoint) => void;
  readonly zoom: (factor: number) => void;
  readonly showAll: () => void;
};

const step = 0.2;
const factor = 1.6;

/** Moves a map as a key says. False: the key says nothing to a map. */
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

const controls = [
  ['+', '+', 'Zoom in'],
  ['-', '−', 'Zoom out'],
  ['0', '⤢', 'Show all stores'],
  ['ArrowLeft', '←', 'Move west'],
  ['ArrowUp', '↑', 'Move north'],
  ['ArrowDown', '↓', 'Move south'],
  ['ArrowRight', '→', 'Move east'],
] as const;

/** Buttons for what keys and gestures do, for readers who have only a pointer without them. */
export function MapControls({ size, ...movements }: Movements & { readonly size: Size }) {
  return (
    <fieldset class="map-controls" aria-label="Move and zoom the map">
      {controls.map(([key, sign, label]) => (
        <button
          type="button"
          class="small"
          key={key}
          aria-label={label}
          title={label}
          onClick={() => moveByKey(key, movements, size)}
        >
          {sign}
        </button>
      ))}
    </fieldset>
  );
}
