import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * Turns off features of Chromium's own window, for which it would start another process, as busy as a page, beside each
 * page.
 */
const ownWindow = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** Starts the Chromium in a file. */
export function startChromium(executablePath: string): Promise<Browser> {
  // A packaged Chromium has its libraries beside it.
  const env = { ...process.env, LD_LIBRARY_PATH: join(dirname(executablePath), 'al2023/lib') };
  return chromium.launch({ executablePath, env, args: ['--no-sandbox', `--disable-features=${ownWindow.join()}`] });
}
