import { useState } from 'preact/hooks';
import { openSite, type Receipt, type Site } from '../../client/open-site.ts';
import { useSession } from '../site/session.ts';
import { countNoun } from './text.ts';

/** The site opened for proofs, once, when the reader first asks for one. */
let proven: Promise<Site> | null = null;

function provenSite(): Promise<Site> {
  proven ??= openSite(new URL('.', document.baseURI), { pinned: true, proof: true });
  proven.catch(() => {
    proven = null;
  });
  return proven;
}

type CheckState = { readonly receipt: Receipt } | { readonly error: Error } | 'asked' | 'checking';

/**
 * A button that compares a document with the hash that the site's pointer leads to, in this browser, and shows the
 * result.
 */
export function ProofCheck({ label, url }: { readonly label: string; readonly url: string }) {
  const { metadata } = useSession();
  const [state, setState] = useState<CheckState>('asked');
  const check = async () => {
    setState('checking');
    try {
      setState({ receipt: await (await provenSite()).receipt(url) });
    } catch (error) {
      setState({ error: error as Error });
    }
  };
  if (state === 'asked')
    return (
      <button type="button" class="small" onClick={check}>
        Verify<span class="visually-hidden"> {label}</span> in this browser
      </button>
    );
  if (state === 'checking') return <span role="status">Verifying…</span>;
  if ('error' in state) return <span class="bad" role="alert">{`Not verified. ${state.error.message}`}</span>;
  const { sha256, size, sequence, revision } = state.receipt;
  const isOther = revision !== metadata.data.publication.revision;
  return (
    <span role="status">
      {isOther ? `Verified for the newer publication ${sequence}: ` : 'Verified in this browser: '}
      {countNoun(size, 'byte')}, SHA-256 <code class="hash">{sha256}</code>, as in the pointer of publication {sequence}
    </span>
  );
}
