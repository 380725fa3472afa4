import type { Page } from 'playwright-core';
import { pick, type Random, seededRandom } from '../../test/support/random.ts';

/** How long one kind of action takes until its effect is painted, in milliseconds, and how long it may take. */
export type InteractionFigure = {
  readonly interaction: string;
  readonly times: number;
  readonly p50: number;
  readonly worst: number;
  readonly limit: number;
};

/** How smoothly the long table scrolls. */
export type ScrollFigure = { readonly framesPerSecond: number; readonly longestFrame: number; readonly limit: number };

const filterLimit = 200;
const keyLimit = 100;
const frameLimit = 30;

/** Lists in which one value is chosen, check boxes, and text fields. Words are typed one key at a time. */
const lists = ['Category', 'Brand', 'Size', 'Reported in'];
const rounds = 2;
const words = ['red', 'cabernet 750', 'vodka', 'old rye', 'gin'];

/**
 * An effect is complete after this many milliseconds without a change. Prices over time, which come by network, do not
 * count.
 */
const quietMs = 700;

/** Every filter of the table of all products: a seeded value is chosen or typed, and cleared again. */
export async function measureFilters(page: Page, url: string): Promise<InteractionFigure[]> {
  const random = seededRandom(5);
  await openWhole(page, `${url}/#/browse`);
  const [opening, choosing, typing]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const label of lists) {
      opening.push(await timed(page, () => listOf(page, label).focus()));
      const value = await someValue(page, random);
      choosing.push(await timed(page, () => choose(page, label, value)));
      // The counts in other lists depend on what this one shows.
      if (random() < 0.5) choosing.push(await timed(page, () => choose(page, label, '')));
    }
    choosing.push(await timed(page, () => page.getByRole('button', { name: 'Clear filters' }).click()));
    opening.push(await timed(page, () => page.locator('.several > button').click()));
    choosing.push(await timed(page, () => page.getByRole('checkbox').first().check()));
    choosing.push(await timed(page, () => page.locator('thead button').first().click()));
    for (const [label, text] of [
      ['Name or SKU', pick(random, words)],
      ['Price from', '12.5'],
      ['Price to', '40'],
    ] as const)
      typing.push(...(await timedKeys(page, label, text)));
    choosing.push(await timed(page, () => page.getByRole('button', { name: 'Clear filters' }).click()));
  }
  return [
    figureOf('opening the list of a filter', opening, filterLimit),
    figureOf('choosing a filter', choosing, filterLimit),
    figureOf('a key in a filter', typing, filterLimit),
  ];
}

/** Keys in the search field above every view, once the index of products is loaded. */
export async function measureHeaderKeys(page: Page, url: string): Promise<InteractionFigure[]> {
  await openWhole(page, `${url}/#/stores`);
  const field = headerField(page);
  await field.pressSequentially('a');
  await page.getByRole('option').first().waitFor();
  await field.fill('');
  await page.waitForTimeout(quietMs);
  const times: number[] = [];
  for (const text of words) {
    times.push(...(await timedKeys(page, 'header', text)));
    await field.fill('');
    await page.waitForTimeout(quietMs);
  }
  return [figureOf('a key in the search of the header', times, keyLimit)];
}

/** Scrolls the table of all products for some seconds, as fast as a mouse wheel, and counts the frames. */
export async function measureScrolling(page: Page, url: string): Promise<ScrollFigure> {
  await openWhole(page, `${url}/#/browse`);
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const table = document.querySelector('.scrolled.long');
    const frames = [];
    let [began, last] = [0, 0];
    const step = (now) => {
      if (began === 0) began = now;
      else frames.push(now - last);
      last = now;
      if (now - began > ${scrollSeconds * 1000}) return resolve(frames);
      table.scrollTop = ((now - began) / 1000) * ${pixelsPerSecond};
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`)) as number[];
  const ms = frames.reduce((sum, frame) => sum + frame, 0);
  return { framesPerSecond: (frames.length * 1000) / ms, longestFrame: Math.max(...frames), limit: frameLimit };
}

const scrollSeconds = 6;
const pixelsPerSecond = 2500;

/** Opens a view, and has the page note when each change is painted. */
async function openWhole(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector('main h1');
  await page.waitForSelector('.loading', { state: 'detached', timeout: 60_000 });
  await page.evaluate(notePictures);
  await page.waitForTimeout(3 * quietMs);
}

/**
 * Runs in the page: `began` is the time of the first event since it was cleared, `painted` that of the last changed
 * frame.
 */
const notePictures = `{
  window.began = window.painted = 0;
  const begin = ({ timeStamp }) => { window.began ||= timeStamp; };
  for (const kind of ['focusin', 'pointerdown', 'change', 'keydown']) addEventListener(kind, begin, true);
  new MutationObserver((records) => {
    if (records.some((record) => !isTrend(record)))
      requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  const isTrend = ({ target, addedNodes: [added] }) =>
    target.parentElement?.nodeName === 'TD' && (added?.matches?.('.trend, .muted:only-child') ?? false);
}`;

/** Milliseconds from an action to the last frame that it changes. */
async function timed(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('window.began = window.painted = 0');
  await act();
  return (await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const last = Math.max(window.began, window.painted);
      if (performance.now() - last > ${quietMs}) resolve(last - window.began);
      else setTimeout(look, 50);
    };
    setTimeout(look, ${quietMs});
  })`)) as number;
}

async function timedKeys(page: Page, label: string, text: string): Promise<number[]> {
  await (label === 'header' ? headerField(page) : page.getByLabel(label)).focus();
  const times: number[] = [];
  for (const key of text) times.push(await timed(page, () => page.keyboard.type(key)));
  return times;
}

/** The list of a filter. The text of its label contains the text of its values. */
function listOf(page: Page, label: string) {
  return page.locator('.filters label', { hasText: new RegExp(`^${label}`) }).locator('select');
}

function headerField(page: Page) {
  return page.getByRole('banner').getByRole('combobox');
}

/** A value of the list that has the focus. */
async function someValue(page: Page, random: Random): Promise<string> {
  const values = await page.evaluate<string[]>(`[...document.activeElement.options].map(({ value }) => value)`);
  return pick(random, values.slice(1));
}

function choose(page: Page, label: string, value: string): Promise<unknown> {
  return listOf(page, label).selectOption(value);
}

function figureOf(interaction: string, times: readonly number[], limit: number): InteractionFigure {
  const sorted = times.toSorted((a, b) => a - b);
  return { interaction, times: times.length, p50: sorted[times.length >> 1] ?? 0, worst: sorted.at(-1) ?? 0, limit };
}
