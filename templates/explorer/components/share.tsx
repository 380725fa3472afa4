import { useState } from 'preact/hooks';
import { usePlace } from '../app/router.ts';
import { useLoaded } from '../app/session.ts';
import { CopyButton } from './copy-button.tsx';
import { Failed } from './states.tsx';

/** Ways to hand a view on: its link, the link as a code for a camera, and paper. `link`: where it is not the address of the page. */
export function Share({ link: given }: { readonly link?: string }) {
  // The address of the page follows what the reader chooses.
  usePlace();
  const link = given ?? location.href;
  const [isOpen, setOpen] = useState(false);
  const code = useLoaded(isOpen ? 'qr code' : null, () => import('./qr-code.tsx'));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons are no fieldset */}
      <div class="share on-screen" role="group" aria-label="Share">
        <CopyButton key={link} text={link} what="link" label="Copy link" />
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          QR code
        </button>
        <button type="button" class="small" onClick={() => print()}>
          Print
        </button>
      </div>
      {isOpen && code.value && (
        <div class="qr-place">
          <code.value.QrCode text={link} label="QR code of this link" />
        </div>
      )}
      {code.state === 'failed' && <Failed error={code.error} />}
    </>
  );
}
