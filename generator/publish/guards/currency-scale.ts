/** Units for a US dollar, at rates of 2025. The magnitude matters: it tells prices in cents from dollars. */
const perDollar: Readonly<Record<string, number>> = {
  ...{ USD: 1, CAD: 1.4, AUD: 1.5, NZD: 1.7, SGD: 1.3, HKD: 7.8, TWD: 32, EUR: 0.9, GBP: 0.8, CHF: 0.85 },
  ...{ SEK: 10, NOK: 10, DKK: 6.7, ISK: 130, PLN: 3.8, CZK: 22, HUF: 360, RON: 4.5, BGN: 1.8, RSD: 105 },
  ...{ TRY: 38, UAH: 42, RUB: 85, GEL: 2.7, KZT: 520, ILS: 3.6, AED: 3.7, ZAR: 18, KES: 130, NGN: 1500 },
  ...{ JPY: 150, CNY: 7.2, KRW: 1400, INR: 85, THB: 33, MYR: 4.3, PHP: 57, VND: 26_000, IDR: 16_000 },
  ...{ BRL: 5.6, MXN: 19, CLP: 950, COP: 4200, PEN: 3.7, ARS: 1200 },
};

/** Converts dollars into a currency. Null if its value is not known here. */
export function roughly(dollars: number, currency: string): number | null {
  const rate = perDollar[currency];
  return rate === undefined ? null : dollars * rate;
}
