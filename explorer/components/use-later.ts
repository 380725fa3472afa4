import { useEffect, useState } from 'preact/hooks';

/** Milliseconds after which a view that is just drawn gets what its first picture is as good without. A slow phone shows that sooner. */
export const afterFirstPicture = 150;

/** Whether so many milliseconds have passed since the component was first drawn. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
