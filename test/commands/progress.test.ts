import { describe, expect, test } from 'vitest';
import { ProgressMeter } from '../../generator/commands/progress.ts';
import { durationText, sizeText } from '../../generator/commands/units.ts';
import { countOf } from '../../generator/contract/counts.ts';

describe('a progress line', () => {
  test('has the stage, the share, the rate of the last seconds and the time left', () => {
    let now = 0;
    const meter = new ProgressMeter(() => now);
    expect(meter.text('making documents', 0, 12_000)).toBe('making documents: 0 % (0 of 12,000)');
    now = 500;
    expect(meter.text('making documents', 3000, 12_000)).toBe('making documents: 25 % (3,000 of 12,000)');
    now = 2000;
    expect(meter.text('making documents', 6000, 12_000)).toBe(
      'making documents: 50 % (6,000 of 12,000), 3,000/s, 2.0 s left',
    );
    now = 10_000;
    // The first seconds, when the cache answered, no longer count.
    expect(meter.text('making documents', 6800, 12_000)).toBe(
      'making documents: 56 % (6,800 of 12,000), 100/s, 52 s left',
    );
    expect(meter.text('making documents', 12_000, 12_000)).toBe('making documents: 100 % (12,000 of 12,000)');
  });

  test('begins anew with each stage, and has no counts where there is nothing to count', () => {
    let now = 0;
    const meter = new ProgressMeter(() => now);
    meter.text('uploading', 0, 10);
    now = 5000;
    expect(meter.text('uploading', 5, 10)).toContain('1/s, 5.0 s left');
    expect(meter.text('deleting', 5, 10)).toBe('deleting: 50 % (5 of 10)');
    expect(meter.text('writing the route table', 0, 1)).toBe('writing the route table');
  });
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [9949, '9.9 kB'],
  [999_499, '999 kB'],
  [999_600, '1.0 MB'],
  [1_234_567_890, '1.2 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test.each([
  [0.04, '0.0 s'],
  [1.26, '1.3 s'],
  [24.4, '24 s'],
  [59.7, '1 min'],
  [200, '3 min 20 s'],
  [7500, '2 h 5 min'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test('a count and its noun agree', () => {
  expect([countOf(1, 'fault'), countOf(2, 'fault'), countOf(3, 'query', 'queries'), countOf(1234, 'row')]).toEqual([
    '1 fault',
    '2 faults',
    '3 queries',
    '1,234 rows',
  ]);
});
