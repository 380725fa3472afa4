import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The day that a view shows instead of the newest publication; empty for the newest. Links to products keep it. */
const Day = createContext('');
export const AsOfDay = Day.Provider;
export const useAsOfDay = () => useContext(Day);
