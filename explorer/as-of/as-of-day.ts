import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The day that a view shows instead of the newest publication, which its links to products keep; empty for the newest. */
const Day = createContext('');
export const AsOfDay = Day.Provider;
export const useAsOfDay = () => useContext(Day);
