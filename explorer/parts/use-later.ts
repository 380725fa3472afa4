import { useEffect, useState } from 'preact/hooks';

/** Milliseconds after which a view adds secondary content, so that a slow phone shows the rest sooner. */
export const afterFirstPicture = 150;

/** Whether `ms` milliseconds have passed since the component was first drawn. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
