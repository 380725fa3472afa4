import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { Activity } from '../../generator/contract/documents/metadata.ts';
import { FixtureSite } from '../http/fixture-site.ts';

let site: FixtureSite;
let activity: Activity;
/** Every event, newest first. */
let events: readonly ChangeEvent[];

beforeAll(async () => {
  site = await FixtureSite.build();
  activity = site.document<Activity>('/v1/metadata/activity.json');
  events = walk();
});
afterAll(() => site?.[Symbol.dispose]());

function walk(): ChangeEvent[] {
  const found: ChangeEvent[] = [];
  for (let path: string | null = '/v1/changes'; path !== null; ) {
    const page: { data: ChangeEvent[]; links: { next: string | null } } = site.document(path);
    found.push(...page.data);
    path = page.links.next;
  }
  return found;
}

test('names the products that changed most in the newest publication', () => {
  const newest = events.filter(
    ({ times, type }) => times.published_at === site.pointer.published_at && !type.endsWith('first_observed'),
  );
  for (const { product, event_count } of activity.most_changed) {
    expect(newest.filter((event) => event.product.id === product.id)).toHaveLength(event_count);
  }
  expect(activity.most_changed).toHaveLength(10);
  expect(activity.most_changed.map(({ event_count }) => event_count)).toEqual(
    activity.most_changed.map(({ event_count }) => event_count).toSorted((a, b) => b - a),
  );
});

test('has the price moves of the newest publication that has any, the largest ratio first', () => {
  const ratios = activity.prices?.largest_falls.map(
    ({ previous_minor, current_minor }) => current_minor / previous_minor,
  );
  expect(ratios).toEqual(ratios?.toSorted((a, b) => a - b));
  expect(events.find(({ type }) => type === 'price_changed')?.times.published_at).toBe(activity.prices?.published_at);
});
