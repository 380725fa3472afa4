import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usualProfile } from '../../contract/profile.ts';
import { noteAt } from '../../explorer/parts/chart-note.ts';
import { type Plot, toSeconds } from '../../explorer/parts/plot.ts';
import { unaskedSpans } from '../../explorer/parts/site-days.ts';
import { countText, instantText, priceText } from '../../explorer/parts/text.ts';
import { showProfile } from '../../explorer/site/site-profile.ts';

/* What the note of a chart says at a moment, with days in Denver, which begin at 7:00 UTC. */

const instants = (...texts: string[]) => texts.map(toSeconds);
const positionText = (position: number) => instantText(new Date(position * 1000).toISOString());

function expectNotes(plot: Plot, notes: Readonly<Record<string, readonly string[] | null>>, reach = 0): void {
  for (const [at, texts] of Object.entries(notes)) {
    const note = noteAt(plot, toSeconds(at), reach);
    expect([at, note && [note.head, ...note.texts]]).toEqual([at, texts]);
  }
}

describe('in the zone of the site', () => {
  beforeAll(() => showProfile({ ...usualProfile, time_zone: 'America/Denver' }));
  afterAll(() => showProfile(undefined));

  const attempts = instants(
    '2025-02-11T02:44:00Z',
    '2025-02-13T20:00:00Z',
    '2025-02-14T03:00:00Z',
    '2025-02-15T20:00:00Z',
  );
  const reports: Plot = {
    kind: 'lines',
    positions: attempts,
    positionText,
    lines: [{ label: 'Reported quantity', values: [15, null, 12, null], paint: '--chart-1', text: countText }],
    range: [toSeconds('2025-02-09T20:00:00Z'), toSeconds('2025-02-16T22:00:00Z')],
  };

  test('a day without an attempt shows the last report before it, and no value from another day', () => {
    expectNotes(reports, {
      '2025-02-09T06:59:00Z': null,
      '2025-02-09T20:00:00Z': ['9 Feb 2025: not checked'],
      '2025-02-12T12:00:00Z': ['12 Feb 2025: not checked', '10 Feb 2025, 19:44 MST: 15'],
      '2025-02-13T06:59:00Z': ['12 Feb 2025: not checked', '10 Feb 2025, 19:44 MST: 15'],
      // A failed attempt is not a report.
      '2025-02-16T12:00:00Z': ['16 Feb 2025: not checked', '13 Feb 2025, 20:00 MST: 12'],
      '2025-02-17T12:00:00Z': null,
    });
    expect(noteAt(reports, toSeconds('2025-02-12T12:00:00Z'), 0)?.index).toBeNull();
  });

  test('a day with attempts shows its own nearest one, even if another day has a nearer one', () => {
    expectNotes(reports, {
      '2025-02-10T07:00:00Z': ['10 Feb 2025, 19:44 MST', 'Reported quantity: 15'],
      '2025-02-13T07:00:00Z': ['13 Feb 2025, 13:00 MST', 'The check failed.'],
      '2025-02-14T01:00:00Z': ['13 Feb 2025, 20:00 MST', 'Reported quantity: 12'],
      '2025-02-15T07:00:00Z': ['15 Feb 2025, 13:00 MST', 'The check failed.'],
    });
    expect(noteAt(reports, toSeconds('2025-02-14T01:00:00Z'), 0)?.index).toBe(2);
  });

  test('there is no note for days whose attempts are no longer kept', () => {
    const plot = { ...reports, knownFrom: toSeconds('2025-02-11T02:44:00Z') };
    expectNotes(plot, {
      '2025-02-09T20:00:00Z': null,
      '2025-02-10T08:00:00Z': ['10 Feb 2025, 19:44 MST', 'Reported quantity: 15'],
    });
  });

  test('a price is the one in force, with the day on which it began', () => {
    const prices: Plot = {
      kind: 'steps',
      // The last position is the publication.
      positions: instants(
        '2024-12-04T01:00:00Z',
        '2025-01-10T20:00:00Z',
        '2025-01-20T20:00:00Z',
        '2025-02-16T22:00:00Z',
      ),
      positionText,
      lines: [{ label: 'Price', values: [1299, null, 1399, 1399], paint: '--chart-1', text: priceText }],
      range: [toSeconds('2024-12-01T20:00:00Z'), toSeconds('2025-02-16T22:00:00Z')],
    };
    expectNotes(prices, {
      '2024-12-02T12:00:00Z': ['2 Dec 2024', 'Price: not observed yet'],
      '2025-01-10T06:00:00Z': ['9 Jan 2025', 'Price: $12.99, since 3 Dec 2024'],
      '2025-01-10T20:00:00Z': ['10 Jan 2025', 'Price: none, since 10 Jan 2025'],
      '2025-02-16T23:00:00Z': ['16 Feb 2025', 'Price: $13.99, since 20 Jan 2025'],
      '2025-02-17T12:00:00Z': null,
    });
  });

  test('days are shaded from start to end, even when the clocks change', () => {
    const daily = ['2025-03-05', '2025-03-06', '2025-03-07', '2025-03-10', '2025-03-11'].map(
      (day) => `${day}T19:00:00Z`,
    );
    const [start, end] = [toSeconds('2025-03-02T19:00:00Z'), toSeconds('2025-03-12T05:30:00Z')];
    expect(unaskedSpans(instants(...daily), start, end)).toEqual([
      [start, toSeconds('2025-03-05T07:00:00Z')],
      // From 8 March to 9 March, when the clocks go forward.
      [toSeconds('2025-03-08T07:00:00Z'), toSeconds('2025-03-10T06:00:00Z')],
    ]);
    // Just after midnight UTC, it is still the evening before in Denver.
    const late = instants('2025-03-05T19:00:00Z', '2025-03-07T01:00:00Z', '2025-03-07T19:00:00Z');
    expect(unaskedSpans(late, toSeconds('2025-03-05T19:00:00Z'), toSeconds('2025-03-07T22:00:00Z'))).toEqual([]);
  });
});

test('bars show a note when the pointer is near one', () => {
  const bars: Plot = {
    kind: 'bars',
    isStacked: true,
    positions: instants('2025-02-10T20:00:00Z', '2025-02-10T23:00:00Z', '2025-02-20T20:00:00Z'),
    positionText,
    lines: [
      { label: 'Price', values: [3, 0, 0], paint: '--chart-1', text: countText },
      { label: 'Status', values: [0, 4, 0], paint: '--chart-2', text: countText },
    ],
  };
  const notes = {
    '2025-02-10T12:00:00Z': ['10 Feb 2025, 20:00 UTC', 'Price: 3'],
    '2025-02-11T12:00:00Z': ['10 Feb 2025, 23:00 UTC', 'Status: 4'],
    '2025-02-15T12:00:00Z': null,
    '2025-02-20T12:00:00Z': ['20 Feb 2025, 20:00 UTC', 'None'],
  };
  expectNotes(bars, notes, 86_400);
});
