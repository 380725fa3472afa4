import { hrefFor } from '../app/router.ts';
import { countText } from '../text/text.ts';
import { setCurrentList, useLists } from './kept-list.ts';
import { formatList, listSize, mostWatched, toggled, type WatchKind } from './watch-list.ts';

/** Adds something to the reader's list or removes it, with a link to the list. */
export function WatchButton({ kind, code }: { readonly kind: WatchKind; readonly code: string }) {
  const { list, kept } = useLists();
  const isWatched = list[kind].includes(code);
  const isFull = !isWatched && list[kind].length >= mostWatched[kind];
  return (
    <span class="watch">
      <button
        type="button"
        aria-pressed={isWatched}
        disabled={isFull}
        onClick={() => setCurrentList(toggled(list, kind, code))}
      >
        <span aria-hidden="true">{isWatched ? '★' : '☆'}</span> {isWatched ? 'Watched' : 'Watch'}
      </button>{' '}
      {isFull && <span class="muted">The list is full. </span>}
      {listSize(list) > 0 && (
        <>
          <a href={hrefFor('watch', '', kept === null ? formatList(list) : {})}>
            Your list ({countText(listSize(list))})
          </a>
          {kept === null && (
            <span class="muted">, kept until you close this tab. Open the list to keep it longer.</span>
          )}
        </>
      )}
    </span>
  );
}
