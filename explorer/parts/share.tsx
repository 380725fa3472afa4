import { useState } from 'preact/hooks';
import { useViewAddress } from '../site/router.ts';
import { useLoaded } from '../site/session.ts';
import { CopyButton } from './copy-button.tsx';
import { Failed } from './states.tsx';

/** Buttons to share a view: its link, a QR code, and print. `link`: if it differs from the current address. */
export function Share({ link }: { readonly link?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons are no fieldset */}
      <div class="share on-screen" role="group" aria-label="Share">
        <CopyButton text={() => link ?? location.href} what="link" label="Copy link" />
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          QR code
        </button>
        <button type="button" class="small" onClick={() => print()}>
          Print
        </button>
      </div>
      {isOpen && <LinkCode link={link} />}
    </>
  );
}

/** The code follows the current address. Only this part is drawn again when the address changes. */
function LinkCode({ link }: { readonly link: string | undefined }) {
  useViewAddress();
  const code = useLoaded('qr code', () => import('./qr-code.tsx'));
  if (code.state === 'failed') return <Failed error={code.error} />;
  if (code.value === null) return null;
  return (
    <div class="qr-place">
      <code.value.QrCode text={link ?? location.href} label="QR code of this link" />
    </div>
  );
}
