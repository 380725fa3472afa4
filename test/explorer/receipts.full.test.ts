import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import { countText, instantText } from '../../explorer/parts/text.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('receipts', (explorer) => {
  test("say when a product's numbers were checked and published, and verify their documents with the pointer", async () => {
    const product = explorer.site.document<{ data: ProductDetail }>('/v1/products/by-sku/001204').data;
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await page.getByText('Where these numbers come from').click();
    const price = page.locator('.receipts dl > div', { hasText: 'Price' });
    expect(await price.textContent()).toContain(`Checked ${instantText(product.price?.times.retrieved_at ?? '')}`);
    await price.getByRole('button', { name: 'Verify Price in this browser' }).click();
    const bytes = new Uint8Array(await (await fetch(`${explorer.origin}/v1/products/${product.id}`)).arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await price.getByText('Verified in this browser').waitFor();
    expect(await price.textContent()).toContain(
      `${countText(bytes.length)} bytes, SHA-256 ${sha256}, as in the pointer of publication 12`,
    );
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test("report a document whose bytes differ from the pointer's hashes", async () => {
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await page.route(/\/v1\/products\/[^/]+$|\/objects\//, async (route) => {
      const answer = await route.fetch();
      const isDocument = !/\/objects\//.test(route.request().url());
      await route.fulfill({ response: answer, body: isDocument ? (await answer.text()).replace('$', '€') : 'no' });
    });
    await page.getByText('Sources: documents and their hashes').click();
    await page.getByRole('button', { name: 'Verify Product in this browser' }).click();
    await page.getByText('Not verified.').waitFor();
    await page.unroute(/\/v1\/products\/[^/]+$|\/objects\//);
  });
});
