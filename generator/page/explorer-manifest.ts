import { createHash } from 'node:crypto';
import { siteName } from '../../contract/site-name.ts';
import type { State } from '../documents/state.ts';

/** The icon: shelves with bottles. A device may crop a fifth from each side. */
const icon = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#1d594b"/>',
  '<path fill="#fff" d="M16 30h32v2H16zm0 17h32v2H16z',
  ...[19, 28, 37].flatMap((x) => [28, 45].map((y) => `M${x} ${y}v-7l2-3v-4h3v4l2 3v7z`)),
  '"/></svg>',
].join('');

/**
 * The web app manifest lets a device list the site among its apps. Its name is below `/explorer/`. Addresses are
 * relative to the manifest, so the site may be below a path.
 */
export function explorerManifest(state: State): { readonly name: string; readonly text: string } {
  const name = siteName(state.aboutAt(state.publication.sequence), state.profile.inventory);
  const text = `${JSON.stringify({
    name,
    start_url: '../',
    scope: '../',
    display: 'minimal-ui',
    theme_color: '#1d594b',
    icons: [
      {
        src: `data:image/svg+xml,${encodeURIComponent(icon)}`,
        type: 'image/svg+xml',
        sizes: 'any',
        purpose: 'any maskable',
      },
    ],
  })}\n`;
  return { name: `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`, text };
}
