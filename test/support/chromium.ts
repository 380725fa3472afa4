import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Without these features of its own window, Chromium starts a process as busy as a page beside each page that it opens. */
const ownWindow = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** Starts the Chromium of a file. */
export function startChromium(executablePath: string): Promise<Browser> {
  // A packaged Chromium has its libraries beside it.
  const env = { ...process.env, LD_LIBRARY_PATH: join(dirname(executablePath), 'al2023/lib') };
  return chromium.launch({ executablePath, env, args: ['--no-sandbox', `--disable-features=${ownWindow.join()}`] });
}
