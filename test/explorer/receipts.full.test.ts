import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ProductDetail } from '../../contract/documents/catalog.ts';
import { countText, instantText } from '../../explorer/text/text.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('receipts', (explorer) => {
  test('say of the numbers of a product when they were asked for and published, and compare their documents with the pointer', async () => {
    const product = explorer.site.document<{ data: ProductDetail }>('/v1/products/by-sku/001204').data;
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await page.getByText('Where these numbers come from').click();
    const price = page.locator('.receipts dl > div', { hasText: 'Price' });
    expect(await price.textContent()).toContain(`Asked for ${instantText(product.price?.times.retrieved_at ?? '')}`);
    await price.getByRole('button', { name: 'Check Price in this browser' }).click();
    const bytes = new Uint8Array(await (await fetch(`${explorer.origin}/v1/products/${product.id}`)).arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await price.getByText('Verified in this browser').waitFor();
    expect(await price.textContent()).toContain(
      `${countText(bytes.length)} bytes, SHA-256 ${sha256}, as the pointer of publication 12`,
    );
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('say it of a document whose bytes are not those that the pointer leads to', async () => {
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await page.route(/\/v1\/products\/[^/]+$|\/objects\//, async (route) => {
      const answer = await route.fetch();
      const isDocument = !/\/objects\//.test(route.request().url());
      await route.fulfill({ response: answer, body: isDocument ? (await answer.text()).replace('$', '€') : 'no' });
    });
    await page.getByText('Where this comes from: documents and their hashes').click();
    await page.getByRole('button', { name: 'Check Product in this browser' }).click();
    await page.getByText('Not verified.').waitFor();
    await page.unroute(/\/v1\/products\/[^/]+$|\/objects\//);
  });
});
