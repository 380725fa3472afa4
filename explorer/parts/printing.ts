import { options } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const watchers = new Set<(isPrinting: boolean) => void>();

/** Whether the reader is printing. Components are drawn again before the browser prints. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    watchers.add(setPrinting);
    return () => {
      watchers.delete(setPrinting);
    };
  }, []);
  return isPrinting;
}

/** Tells components that print something other than what they show. */
export function watchPrinting(): void {
  const tell = (isPrinting: boolean) => {
    options.debounceRendering = (draw) => draw();
    for (const watch of watchers) watch(isPrinting);
    delete options.debounceRendering;
  };
  addEventListener('beforeprint', () => tell(true));
  addEventListener('afterprint', () => tell(false));
}
