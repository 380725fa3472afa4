import { countText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { changeList, useLists } from './kept-list.ts';
import { formatList, listSize, mostWatched, toggled, type WatchKind } from './watch-list.ts';

/** Adds something to the reader's list or removes it, with a link to the list. */
export function WatchButton({ kind, code }: { readonly kind: WatchKind; readonly code: string }) {
  const { list, kept } = useLists();
  const { sequence, published_at } = useSession().metadata.data.publication;
  const isWatched = list[kind].includes(code);
  const isFull = !isWatched && list[kind].length >= mostWatched[kind];
  return (
    <span class="watch">
      <button
        type="button"
        aria-pressed={isWatched}
        disabled={isFull}
        onClick={() => changeList(toggled(list, kind, code), { sequence, published_at })}
      >
        <span aria-hidden="true">{isWatched ? '★' : '☆'}</span> {isWatched ? 'Watched' : 'Watch'}
      </button>{' '}
      {isFull && <span class="muted">The list is full. </span>}
      {listSize(list) > 0 && (
        <>
          <a href={hrefFor('watch', '', kept === null ? formatList(list) : {})}>
            Your list ({countText(listSize(list))})
          </a>
          <span class="muted">
            {kept === null
              ? ', lost when you close or reload this page. The link to the list has all of it.'
              : ', kept on this device'}
          </span>
        </>
      )}
    </span>
  );
}
