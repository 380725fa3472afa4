import { Zone } from 'luxon';
import moment from 'moment-timezone';

/* Bundled rules of time zones make a time the same instant on every machine. Versions of Node have other rules. */

/** The version of the rules in the IANA database, such as `2026b`. */
export const zoneRules: string = moment.tz.dataVersion;

export function isZone(name: string): boolean {
  return moment.tz.zone(name) !== null;
}

/** `country` is an ISO 3166 code. Empty if the rules do not know it. */
export function zonesOf(country: string): readonly string[] {
  const zones = moment.tz.zonesForCountry(country) ?? [];
  const own = zones.filter((zone) => moment.tz.zone(zone)?.countries()[0] === country);
  return own.length > 0 ? own : zones;
}

/** Luxon's own zones use the rules of the host. */
export class RuledZone extends Zone {
  readonly #rules: moment.MomentZone;

  /** Throws a RangeError for an unknown name. */
  constructor(name: string) {
    super();
    const rules = moment.tz.zone(name);
    if (rules === null) throw new RangeError(`no time zone is called '${name}'`);
    this.#rules = rules;
  }

  override get type(): string {
    return 'ruled';
  }

  override get name(): string {
    return this.#rules.name;
  }

  override get isUniversal(): boolean {
    return false;
  }

  override get isValid(): boolean {
    return true;
  }

  /** Minutes east of UTC at an instant, in milliseconds since 1970. */
  override offset(instant: number): number {
    return -this.#rules.utcOffset(instant);
  }

  override offsetName(instant: number): string {
    return this.#rules.abbr(instant);
  }

  /** `+01:00`, which also suits the other formats that Luxon asks for. */
  override formatOffset(instant: number): string {
    const minutes = this.offset(instant);
    const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  }

  override equals(other: Zone): boolean {
    return other instanceof RuledZone && other.name === this.name;
  }
}
