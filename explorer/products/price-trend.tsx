import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Site } from '../../client/open-site.ts';
import { onceInSight } from '../parts/in-sight.ts';
import { countNoun, priceText } from '../parts/text.ts';
import { useSession } from '../site/session.ts';
import { listedPrices, type PriceSteps } from './listed-prices.ts';
import type { ProductColumn } from './product-columns.tsx';
import type { ProductIndex } from './product-index.ts';

const [width, height] = [72, 20];
const readBySku = new Map<string, Promise<PriceSteps>>();

/** A small chart of each product's price over time. Visible rows read their product's own document. */
export function trendColumn(index: ProductIndex): ProductColumn {
  return {
    name: 'trend',
    label: 'Price over time',
    value: () => null,
    show: (product) => <PriceTrend sku={index.sku(product)} />,
    isDrawn: true,
    isMinor: true,
    width: 11,
  };
}

function PriceTrend({ sku }: { readonly sku: string }) {
  const { site, metadata } = useSession();
  const element = useRef<HTMLSpanElement>(null);
  const [known, setKnown] = useState<{ readonly sku: string; readonly prices: PriceSteps } | null>(null);
  useLayoutEffect(() => {
    if (element.current === null) return;
    let isHere = true;
    const forget = onceInSight(element.current, async () => {
      const prices = readBySku.get(sku) ?? readPrices(site, sku);
      readBySku.set(sku, prices);
      // A row without its trend is still complete, so failures are not shown here. The product's own view explains
      // them.
      await prices.then(
        (prices) => isHere && setKnown({ sku, prices }),
        () => readBySku.delete(sku),
      );
    });
    return () => {
      isHere = false;
      forget();
    };
  }, [sku]);
  const prices = known?.sku === sku ? known.prices : null;
  return (
    <span ref={element}>{prices && <Steps prices={prices} until={metadata.data.publication.published_at} />}</span>
  );
}

async function readPrices(site: Site, sku: string): Promise<PriceSteps> {
  const { data } = await site.product.bySku(sku);
  return listedPrices(await site.product.series(data.id));
}

function Steps({ prices: { at, price_minor }, until }: { readonly prices: PriceSteps; readonly until: string }) {
  const known = price_minor.filter((price) => price !== null);
  if (new Set(known).size < 2) return <span class="muted">unchanged</span>;
  const [start, end] = [Date.parse(at[0] ?? until), Date.parse(until)];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (time: number) => (((time - start) / (end - start)) * width).toFixed(1);
  const path = price_minor.map((price, step) => {
    const from = x(Date.parse(at[step] ?? until));
    const to = x(Date.parse(at[step + 1] ?? until));
    if (price === null) return '';
    const y = (height - 2 - ((price - least) / (most - least)) * (height - 4)).toFixed(1);
    return `${step === 0 || price_minor[step - 1] === null ? 'M' : 'L'}${from} ${y}H${to}`;
  });
  const words = `${countNoun(known.filter((price, step) => step > 0 && price !== known[step - 1]).length, 'change')}, ${priceText(least)} to ${priceText(most)}`;
  return (
    <svg class="trend" role="img" aria-label={words} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{words}</title>
      <path d={path.join('')} />
    </svg>
  );
}
