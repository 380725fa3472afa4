/** Cents as text, `$26.99`: no separators of thousands, the same in every locale. */
export function displayPrice(amountMinor: number): string {
  const cents = String(amountMinor % 100).padStart(2, '0');
  return `$${Math.floor(amountMinor / 100)}.${cents}`;
}
