const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const month = `(?<month>${months.join('|')})`;
const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';

/** IMF-fixdate, RFC 850 date and asctime date, in this order. */
const forms = [
  new RegExp(`^${day}, (?<date>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^${longDay}, (?<date>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT$`),
  new RegExp(`^${day} ${month} (?<date>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/**
 * An HTTP-date as seconds since 1970, or null when it is malformed. Accepts the three forms of RFC 9110 5.6.7 that a
 * recipient must accept, and nothing else that Date.parse would. `now`, in milliseconds, decides the century of a
 * two-digit year.
 */
export function parseHttpDate(field: string, now = Date.now()): number | null {
  for (const form of forms) {
    const groups = form.exec(field)?.groups;
    if (groups) return secondsOf(groups as Record<Part, string>, now);
  }
  return null;
}

type Part = 'date' | 'month' | 'year' | 'hour' | 'minute' | 'second';

function secondsOf(parts: Record<Part, string>, now: number): number | null {
  const [date, hour, minute, second] = [parts.date, parts.hour, parts.minute, parts.second].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const month = months.indexOf(parts.month);
  const year = parts.year.length === 2 ? fullYear(Number(parts.year), now) : Number(parts.year);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month, date);
  // A leap second is valid; 30 February is not.
  if (midnight.getUTCMonth() !== month || hour > 23 || minute > 59 || second > 60) return null;
  return midnight.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

/** A two-digit year that seems more than 50 years ahead is the last such year in the past. */
function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
