import { useState } from 'preact/hooks';
import { useLoaded } from '../app/session.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Failed } from '../components/states.tsx';

/** Ways to hand a trip on: its link, the link as a code for a camera, and a sheet of paper. */
export function Share({ link }: { readonly link: string }) {
  const [isOpen, setOpen] = useState(false);
  const code = useLoaded(isOpen ? 'qr code' : null, () => import('./qr-code.tsx'));
  return (
    <section aria-labelledby="share-trip" class="share">
      <h2 id="share-trip" class="on-screen">
        Share
      </h2>
      <p class="on-screen">
        <CopyButton key={link} text={link} what="link" label="Copy link" />
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          QR code
        </button>
        <button type="button" class="small" onClick={() => print()}>
          Print
        </button>
      </p>
      <p class="muted on-screen">The link holds the list, the place and the options.</p>
      {isOpen && code.value && <code.value.QrCode text={link} label="QR code of the link to this trip" />}
      {code.state === 'failed' && <Failed error={code.error} />}
    </section>
  );
}
